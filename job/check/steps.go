package check

import (
	"net"
	"net/url"
	"slices"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

// order of the steps.
var order = []string{"resolve", "connect", "tls", "rtt", "key", "model", "stream", "usage", "terminal", "frames", "reuse"}

// failsAt is the step that an ending belongs to; the endings that are not here
// belong to "stream".
var failsAt = map[outcome.Class]string{
	outcome.Auth: "key", outcome.Quota: "key",
	outcome.ModelNotFound:    "model",
	outcome.IncompleteStream: "terminal", outcome.IdleTimeout: "terminal",
	outcome.OutputIdleTimeout: "terminal", outcome.TotalTimeout: "terminal",
}

// steps tells how far the check came: what it saw, what failed, and what
// could no longer be looked at.
func (p *probe) steps() []Step {
	failed, at := p.failedStep()
	end := slices.Index(order, failed)
	steps := make([]Step, len(order))
	for i, id := range order {
		s := Step{ID: id, Status: Skipped}
		switch {
		case id == failed:
			s.Status, s.Detail = Failed, at
		case failed == "" || i < end:
			p.look(&s)
		}
		steps[i] = s
	}
	return steps
}

// failedStep names the step that failed and says how; "": none did.
func (p *probe) failedStep() (string, text.Message) {
	a := p.result.Attempt
	switch {
	case p.opened != nil:
		return string(openStage(p.opened)), outcome.Connect.Name()
	case a == nil && p.result.Fault != nil:
		return "model", p.result.Fault.What
	case a.Outcome == outcome.OK:
		return "", text.Message{}
	}
	if id, ok := failsAt[a.Outcome]; ok {
		return id, a.Outcome.Name()
	}
	return "stream", a.Outcome.Name()
}

// look fills in a step that did not fail.
func (p *probe) look(s *Step) {
	a := p.result.Attempt
	if a == nil {
		a = &record.Attempt{}
	}
	base := p.Client.Target.Base
	switch s.ID {
	case "resolve":
		s.Status, s.Took, s.Detail = OK, since(a.Dial, a.DNS), text.Msg("check.as_is", base.Hostname())
		if net.ParseIP(base.Hostname()) != nil {
			s.Status, s.Took, s.Detail = Skipped, 0, text.Msg("check.resolve.address", base.Hostname())
		}
	case "connect":
		s.Status, s.Took, s.Detail = OK, since(max(a.Dial, a.DNS), a.Connected), text.Msg("check.as_is", hostPort(base))
	case "tls":
		if s.Status, s.Took = OK, since(a.Connected, a.TLS); base.Scheme != "https" {
			s.Status, s.Took, s.Detail = Skipped, 0, text.Msg("check.tls.none")
		}
	case "rtt":
		switch s.Took = time.Duration(a.RTT); {
		case a.RTT > 0:
			s.Status = OK
		case p.result.Attempt != nil:
			s.Detail = text.Msg("check.rtt.unknown")
		}
	case "key":
		p.lookAtKey(s, a)
	case "model":
		p.lookAtModel(s, a)
	case "stream":
		p.lookAtStream(s, a)
	case "usage":
		lookAtUsage(s, a)
	case "terminal":
		lookAtTerminal(s, a)
	case "frames":
		lookAtFrames(s, a)
	case "reuse":
		switch {
		case p.closes:
			s.Status, s.Detail = OK, text.Msg("check.reuse.closed")
		case a.Outcome == outcome.OK:
			s.Status, s.Detail = OK, text.Msg("check.reuse.kept")
		}
	}
}

// accepted reports whether the endpoint took the request as it was.
func accepted(a *record.Attempt) bool {
	return a.Outcome == outcome.OK || a.FirstOut != 0 || a.Outcome == outcome.EmptyOutput
}

func (p *probe) lookAtKey(s *Step, a *record.Attempt) {
	sent := p.Client.Target.Header.Get("Authorization") != ""
	from := p.Key.place()
	switch {
	case !accepted(a) && a.Outcome != outcome.ModelNotFound:
		// Whatever failed may have come before anybody looked at the key.
	case !sent:
		s.Detail = text.Msg("check.key.none")
	case p.Key.Empty || from == "":
		s.Status, s.Detail = OK, text.Msg("check.key.header")
	case p.Key.Space:
		s.Status, s.Detail = Warning, text.Msg("check.key.space", from)
	default:
		s.Status, s.Detail = OK, text.Msg("check.key.from", from)
	}
}

func (p *probe) lookAtModel(s *Step, a *record.Attempt) {
	model := p.Request.Model
	switch {
	case !accepted(a):
	case p.result.Models != nil && !slices.Contains(p.result.Models, model):
		s.Status, s.Detail = Warning, text.Msg("check.model.unlisted", model)
	case a.ServedModel != "" && a.ServedModel != model:
		s.Status, s.Detail = OK, text.Msg("check.model.served", model, a.ServedModel)
	default:
		s.Status, s.Detail = OK, text.Msg("check.as_is", model)
	}
}

func (p *probe) lookAtStream(s *Step, a *record.Attempt) {
	switch {
	case a.NotStreamed && p.Request.Stream:
		s.Status, s.Took, s.Detail = Warning, since(a.Sent, a.LastOut), text.Msg("check.stream.whole")
	case a.NotStreamed:
		s.Took, s.Detail = since(a.Sent, a.LastOut), text.Msg("check.stream.unasked")
	default:
		s.Status, s.Took, s.Detail = OK, since(a.Sent, a.FirstOut), text.Msg("check.stream.first")
	}
}

func lookAtUsage(s *Step, a *record.Attempt) {
	in, out := a.Tokens.Input, a.Tokens.Output
	switch {
	case in.Known() && out.Known():
		s.Status, s.Detail = OK, text.Msg("check.usage", in.N, out.N)
	case out.Known():
		s.Status, s.Detail = Warning, text.Msg("check.usage.no_input", out.N)
	default:
		s.Status, s.Detail = Warning, text.Msg("check.usage.none")
	}
}

func lookAtTerminal(s *Step, a *record.Attempt) {
	if a.Warnings[record.WarnNoFinish] > 0 {
		s.Status, s.Detail = Warning, text.Msg("check.terminal.no_reason")
		return
	}
	s.Status, s.Took, s.Detail = OK, since(a.LastOut, a.Terminal), text.Msg("check.terminal", a.Finish)
}

// lookAtFrames says how the answer was cut into frames, and whether something
// on the way held them back.
func lookAtFrames(s *Step, a *record.Attempt) {
	n, tokens := a.Frames.Output, a.Tokens.Output
	switch {
	case a.NotStreamed || n == 0:
	case a.Warnings[record.WarnBurst] > 0:
		s.Status, s.Detail = Warning, text.Msg("check.frames.burst", n)
	case a.Warnings[record.WarnClumped] > 0:
		s.Status, s.Detail = Warning, text.Msg("check.frames.clumped")
	case tokens.Known() && a.Warnings[record.WarnHidden] == 0:
		s.Status, s.Detail = OK, text.Msg("check.frames.tokens", n, float64(tokens.N)/float64(n))
	default:
		s.Status, s.Detail = OK, text.Msg("check.frames", n)
	}
}

// place is where the key came from, as a person would write it; "": nowhere.
func (k Key) place() string {
	switch {
	case k.File != "":
		return k.File
	case k.Variable != "":
		return "$" + k.Variable
	}
	return ""
}

// hostPort is where a base is connected to.
func hostPort(base *url.URL) string {
	port := base.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[base.Scheme]
	}
	return net.JoinHostPort(base.Hostname(), port)
}
