package run

import (
	"time"

	"tidemark/record"
)

// waiting is how many records may wait for the recorder. Where they are more,
// slots wait: memory stays bounded, however slow the disk is.
const waiting = 4096

// sampleEvery is the time between two samples of the machine.
const sampleEvery = 250 * time.Millisecond

// recorder hands records on in the order they came, away from the goroutines
// that measure.
type recorder struct {
	queue chan queued
	done  chan struct{}
	emit  func(record.Record) error
	err   error // the first that emit gave; nothing is emitted after it
	fail  func()
}

// queued is a record, or a mark whose channel is closed once all before it
// is recorded.
type queued struct {
	record record.Record
	mark   chan struct{}
}

// newRecorder starts one. Each attempt is shown to count as well; sample is
// asked for the machine's state; fail is called at the first error.
func newRecorder(emit func(record.Record) error, count func(*record.Attempt), sample func() *record.Sample, fail func()) *recorder {
	r := &recorder{queue: make(chan queued, waiting), done: make(chan struct{}), emit: emit, fail: fail}
	go func() {
		defer close(r.done)
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				r.write(sample())
			case q, open := <-r.queue:
				if !open {
					return
				}
				r.take(q, count)
			}
		}
	}()
	return r
}

func (r *recorder) take(q queued, count func(*record.Attempt)) {
	if q.mark != nil {
		close(q.mark)
		return
	}
	if a, ok := q.record.(*record.Attempt); ok {
		count(a)
	}
	r.write(q.record)
}

func (r *recorder) write(rec record.Record) {
	if r.err != nil {
		return
	}
	if r.err = r.emit(rec); r.err != nil {
		r.fail()
	}
}

// put hands a record over.
func (r *recorder) put(rec record.Record) { r.queue <- queued{record: rec} }

// flush waits until all that was put is recorded.
func (r *recorder) flush() {
	mark := make(chan struct{})
	r.queue <- queued{mark: mark}
	<-mark
}

// close ends the recording, when nobody puts any more.
func (r *recorder) close() error {
	close(r.queue)
	<-r.done
	return r.err
}
