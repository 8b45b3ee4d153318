package sim

import (
	"context"
	"strconv"
	"strings"
)

// whole sends the answer in one body.
func (a *answer) whole(ctx context.Context) {
	a.prepare()
	if a.instead() {
		return
	}
	if a.fault.Kind == Stall || a.fault.Kind == RoleWait {
		a.pace.hold()
		a.pause(ctx)
	}
	if a.pace.wait(ctx, a.tokens-1) != nil {
		return
	}
	body := a.body()
	h := a.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if a.fault.Kind == Cut || a.fault.Kind == Reset {
		_ = a.write(body[:len(body)/2]) // broken off next anyhow
		a.breaks()
	}
	err := a.write(body)
	if a.fault.Kind != NoOutput {
		a.row.OK = true
		a.sent(a.tokens, err)
		a.gaps = nil // they came together: there is nothing between them
	}
}

func (a *answer) body() []byte {
	tokens, finish := a.tokens, a.finish
	switch a.fault.Kind {
	case NoOutput:
		tokens, finish = 0, "stop"
	case NoFinish, NoEnd:
		finish = ""
	}
	counts := ""
	if a.fault.Kind != NoUsage {
		counts = usage(a.chat.prompt, tokens)
	}
	var b strings.Builder
	for k := range tokens {
		b.WriteString(a.word(k))
	}
	return wholeBody(a.id(), a.chat.Model, a.arrived.Unix(), b.String(), finish, counts)
}
