package sim

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/text"
)

// Kind is a way to go wrong.
type Kind string

const (
	RateLimited Kind = "429"
	Quota       Kind = "quota"
	ServerError Kind = "500"
	Busy        Kind = "503"
	WrongKey    Kind = "401"
	NoModel     Kind = "404"
	InbandError Kind = "error"
	Cut         Kind = "cut"
	Reset       Kind = "rst"
	Empty       Kind = "empty"
	NoOutput    Kind = "no_output"
	Stall       Kind = "stall"
	RoleWait    Kind = "role_wait"
	NoUsage     Kind = "no_usage"
	NoFinish    Kind = "no_finish"
	NoEnd       Kind = "no_end"
	HTML        Kind = "html"
	Buffer      Kind = "buffer"
)

// FaultInfo describes a kind for a person.
type FaultInfo struct {
	ID   Kind
	What text.Message
}

// Faults lists every kind.
func Faults() []FaultInfo {
	return []FaultInfo{
		{RateLimited, text.Msg("sim.fault.429")},
		{Quota, text.Msg("sim.fault.quota")},
		{ServerError, text.Msg("sim.fault.500")},
		{Busy, text.Msg("sim.fault.503")},
		{WrongKey, text.Msg("sim.fault.401")},
		{NoModel, text.Msg("sim.fault.404")},
		{InbandError, text.Msg("sim.fault.error")},
		{Cut, text.Msg("sim.fault.cut")},
		{Reset, text.Msg("sim.fault.rst")},
		{Empty, text.Msg("sim.fault.empty")},
		{NoOutput, text.Msg("sim.fault.no_output")},
		{Stall, text.Msg("sim.fault.stall")},
		{RoleWait, text.Msg("sim.fault.role_wait")},
		{NoUsage, text.Msg("sim.fault.no_usage")},
		{NoFinish, text.Msg("sim.fault.no_finish")},
		{NoEnd, text.Msg("sim.fault.no_end")},
		{HTML, text.Msg("sim.fault.html")},
		{Buffer, text.Msg("sim.fault.buffer")},
	}
}

// Fault is a kind, and when and how it strikes. Every and Rate are for
// [Config]; where both are 0 it strikes every request.
type Fault struct {
	Kind  Kind
	Every int           // each request whose number it divides; 0: not by number
	Rate  float64       // share of the requests, drawn by seed and number, 0 to 1; 0: not by share
	After int           // tokens before it strikes, where it strikes inside of an answer; before the last at the latest
	Wait  time.Duration // how long it waits, or asks to wait; 0: 2 s
}

const (
	faultHeader = "X-Sim-Fault"
	faultModel  = "fault:" // what a model's name begins with that asks for a fault

	defaultAfter = 3
	defaultWait  = 2 * time.Second
	longestWait  = time.Hour
	longestFault = 200 // bytes, as a request says it
)

// ParseFault reads a fault as flags, model names ("fault:stall:after=5") and
// the header X-Sim-Fault give it:
//
//	KIND[:every=N][:rate=SHARE][:after=TOKENS][:wait=DURATION]
//
// with 3 tokens and 2 s where they are not said. An error is a *text.Fault.
func ParseFault(s string) (Fault, error) {
	kind, rest, more := strings.Cut(s, ":")
	f := Fault{Kind: Kind(kind), After: defaultAfter, Wait: defaultWait}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ":")
		if err := f.set(part); err != nil {
			return Fault{}, text.Wrong(text.Msg("sim.bad_fault", part, s), text.Msg("sim.bad_fault_hint"))
		}
	}
	return f, f.check()
}

func (f *Fault) set(part string) (err error) {
	key, value, _ := strings.Cut(part, "=")
	switch key {
	case "every":
		f.Every, err = strconv.Atoi(value)
	case "rate":
		f.Rate, err = strconv.ParseFloat(value, 64)
	case "after":
		f.After, err = strconv.Atoi(value)
	case "wait":
		f.Wait, err = time.ParseDuration(value)
	default:
		err = errors.New("unknown key")
	}
	return err
}

func (f Fault) check() error {
	if !slices.ContainsFunc(Faults(), func(i FaultInfo) bool { return i.ID == f.Kind }) {
		return text.Wrong(text.Msg("sim.unknown_fault", string(f.Kind)), text.Msg("sim.unknown_fault_hint", kindList()))
	}
	if f.Every < 0 || !(f.Rate >= 0 && f.Rate <= 1) || f.After < 0 || f.Wait < 0 || f.Wait > longestWait {
		return text.Wrong(text.Msg("sim.fault_range", string(f.Kind)), text.Msg("sim.fault_range_hint"))
	}
	return nil
}

func kindList() string {
	var ids []string
	for _, i := range Faults() {
		ids = append(ids, string(i.ID))
	}
	return strings.Join(ids, " ")
}

func (f Fault) wait() time.Duration {
	if f.Wait == 0 {
		return defaultWait
	}
	return f.Wait
}

// choose is the fault that request number meets, its Kind "" for none.
func (s *Server) choose(r *http.Request, model string, number int64) (Fault, *refusal) {
	asked := r.Header.Get(faultHeader)
	if name, ok := strings.CutPrefix(model, faultModel); ok && asked == "" {
		asked = name
	}
	if len(asked) > longestFault {
		return Fault{}, invalid("model", "The name of the fault is too long.")
	}
	if asked != "" {
		f, err := ParseFault(asked)
		if err != nil {
			return f, invalid("model", err.Error())
		}
		return f, nil
	}
	for i, f := range s.config.Faults {
		always := f.Every == 0 && f.Rate == 0
		byNumber := f.Every > 0 && number%int64(f.Every) == 0
		if always || byNumber || s.draw(number, drawFault+uint64(i)) < f.Rate {
			return f, nil
		}
	}
	return Fault{}, nil
}

// refusal is what a kind refuses with before any answer; nil: it strikes
// later, or there is no fault.
func (f Fault) refusal(model string) *refusal {
	switch f.Kind {
	case RateLimited:
		return &refusal{status: http.StatusTooManyRequests, kind: "requests", code: "rate_limit_exceeded",
			message:    "Rate limit reached for requests.",
			retryAfter: int((f.wait() + time.Second - 1) / time.Second)}
	case Quota:
		return &refusal{status: http.StatusTooManyRequests, kind: "insufficient_quota", code: "insufficient_quota",
			message: "You exceeded your current quota, please check your plan and billing details."}
	case ServerError:
		return &refusal{status: http.StatusInternalServerError, kind: "server_error",
			message: "The server had an error while processing your request."}
	case Busy:
		return overloaded()
	case WrongKey:
		return wrongKey()
	case NoModel:
		return noModel(model)
	}
	return nil
}
