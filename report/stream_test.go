package report

import (
	"encoding/json"
	"iter"
	"math"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
)

// at is a moment, in milliseconds since the run's epoch.
func at(ms float64) record.Offset { return record.Offset(math.Round(ms * 1e6)) }

func usage(n int64) record.Count { return record.Count{N: n, Source: record.FromUsage} }

// answered is an attempt dispatched at a moment, and answered so:
//
//	+0 dispatched  +1 sent  +21 first byte  +31, +41, +51, +61 output
//	+63 terminal   +64 end
//
// So send lag 1, TTFB 20, TTFT 30, three gaps of 10, E2E 60, stream end lag 2.
// 7 tokens in, 4 out: TPOT 30/3 = 10, NTPOT 60/4 = 15.
func answered(number int, from float64) *record.Attempt {
	return &record.Attempt{
		Level: 1, Round: 1, Phase: record.Measured, Number: number, Try: 1, Target: "t", Workload: "default",
		Clocks: record.Clocks{
			Dispatched: at(from), Sent: at(from + 1), FirstByte: at(from + 21), FirstOut: at(from + 31), FirstAns: at(from + 31),
			LastOut: at(from + 61), Terminal: at(from + 63), End: at(from + 64),
		},
		Outcome: outcome.OK, Finish: "stop", HTTPStatus: 200,
		Tokens: record.Tokens{Input: usage(7), Output: usage(4)},
		Frames: record.Frames{Output: 4},
		Gaps:   record.Packed(nil).Append(10e6).Append(10e6).Append(10e6),
		Lags:   record.Packed(nil).Append(1e5).Append(1e5).Append(1e5).Append(1e5),
		Stamps: "kernel", RTT: 2e6,
	}
}

// failed is one that was refused ten milliseconds after it was dispatched.
func failed(number int, from float64, class outcome.Class, status int, message string) *record.Attempt {
	return &record.Attempt{
		Level: 1, Round: 1, Phase: record.Measured, Number: number, Try: 1, Target: "t", Workload: "default",
		Clocks:  record.Clocks{Dispatched: at(from), Sent: at(from + 1), Headers: at(from + 9), FirstByte: at(from + 9), End: at(from + 10)},
		Outcome: class, HTTPStatus: status, Message: message,
	}
}

func edge(e record.Event, level, round int, ms float64) *record.Level {
	return &record.Level{Event: e, Level: level, Round: round, At: at(ms)}
}

func start(level, round, concurrency int, ms float64) *record.Level {
	l := edge(record.LevelStart, level, round, ms)
	l.Target, l.Workload = "t", "default"
	l.Load = &record.Load{Kind: "closed", Concurrency: concurrency, Requests: 8}
	return l
}

func opening() *record.Run {
	return &record.Run{
		Format: record.Format, Tidemark: "test", RunID: "r1", Started: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Plan: json.RawMessage(`{"model":"toy-1"}`), Targets: []record.Target{{Name: "t", Model: "toy-1", URL: "http://x/v1", Dialect: "chat"}},
	}
}

// twoSlots is a level of concurrency 2, whose slots send four requests each:
//
//	slot 1: 1000 1064 1128 1192, the last ends at 1256
//	slot 2:   1032 1096 1160 1224, the last ends at 1288
//
// It is full from 1032 to 1256: a window of 224 ms, in a level of 288 ms.
func twoSlots() []record.Record {
	return twoSlotsOf(1, 1, 1000, func(number int, from float64) *record.Attempt { return answered(number, from) })
}

func twoSlotsOf(level, round int, from float64, make func(number int, from float64) *record.Attempt) []record.Record {
	recs := []record.Record{start(level, round, 2, from-1), edge(record.LevelFull, level, round, from+32)}
	for i := range 4 {
		for slot := range 2 {
			a := make(2*i+slot+1, from+float64(64*i+32*slot))
			a.Level, a.Round, a.Slot = level, round, slot+1
			recs = append(recs, a)
		}
	}
	return append(recs, edge(record.LevelEmptied, level, round, from+256), edge(record.LevelEnd, level, round, from+288))
}

func whole(recs ...[]record.Record) []record.Record {
	out := []record.Record{opening()}
	for _, r := range recs {
		out = append(out, r...)
	}
	return append(out, &record.End{At: at(9000), Reason: record.Done})
}

// of makes records a source; err, if not nil, is yielded after them.
func of(recs []record.Record, err error) Source {
	return func() iter.Seq2[record.Record, error] {
		return func(yield func(record.Record, error) bool) {
			for _, r := range recs {
				if !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
		}
	}
}
