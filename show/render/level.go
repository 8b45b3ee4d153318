package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"tidemark/report"
)

// details shows every level of a set: its latencies, then what stands around
// them.
func (p *page) details(s set) {
	for _, l := range s.levels {
		p.blank()
		head := []span{{bold, p.fullName(s, l)}, {faint, "  " + p.Say("show.level_n", l.Level)}}
		if l.Short {
			head = append(head, span{yellow, "  " + p.Say("show.mark_short")})
		}
		p.line(0, head...)
		if p.latency(l) {
			p.blank()
		}
		p.facts(2, p.around(l))
		p.groups(l)
		p.timeline(l.Timeline)
	}
}

// around is a level's other figures.
func (p *page) around(l *report.Level) []fact {
	valid, how := p.validity(l.Validity)
	facts := []fact{
		{p.Say("show.schedule"), plain, p.schedule(l.Load)},
		{p.Say("show.sending"), plain, p.sending(l.Load)},
		{p.Say("show.sessions"), plain, p.talks(l.Load)},
		{p.Say("show.mix"), plain, mixture(l.Load)},
		{p.Say("show.cancelling"), plain, p.cancels(l.Load)},
		{p.Say("show.throughput"), plain, p.throughput(l.Throughput)},
		{p.Say("show.in_flight"), plain, p.inFlight(l)},
		{p.Say("show.window"), plain, p.window(l.Load)},
		{p.Say("show.requests"), plain, p.counted(l)},
		{p.Say("show.finished"), plain, finishes(l.Reliability.Finishes)},
		{p.Say("show.tokens"), plain, p.tokens(l.Tokens)},
		{p.Say("show.frames"), plain, p.frames(l.Frames)},
		{p.Say("show.ended"), yellow, l.Ended.Name().In(p.Lang)},
		{p.Say("show.clock"), plain, p.clockLine(l.Clock)},
		{p.Say("show.validity"), how, valid},
	}
	for _, w := range l.Warnings {
		facts = append(facts, fact{p.Say("show.warning"), yellow, p.warning(w)})
	}
	return facts
}

func (p *page) throughput(t report.Throughput) string {
	var parts []string
	if t.RequestsPerS != nil {
		parts = append(parts, p.Say("show.rate_window", num(*t.RequestsPerS)))
	}
	if t.RequestsPerSOverall != nil {
		parts = append(parts, p.Say("show.rate_overall", num(*t.RequestsPerSOverall)))
	}
	if t.OutputTokensPerS != nil {
		parts = append(parts, p.Say("show.rate_output", num(*t.OutputTokensPerS)))
	}
	if t.InputTokensPerS != nil {
		parts = append(parts, p.Say("show.rate_input", num(*t.InputTokensPerS)))
	}
	if len(parts) == 0 {
		return absent
	}
	return strings.Join(parts, " · ")
}

func (p *page) inFlight(l *report.Level) string {
	a := l.Load.Achieved
	if a == nil {
		return ""
	}
	if l.Load.Concurrency == nil {
		return p.Say("show.achieved", num(a.Mean), count(a.Max))
	}
	if l.Load.Turns != nil {
		return p.Say("show.achieved_users", num(a.Mean), count(a.Max), count(*l.Load.Concurrency))
	}
	return p.Say("show.achieved_of", num(a.Mean), count(a.Max), count(*l.Load.Concurrency))
}

func (p *page) window(l report.Load) string {
	var parts []string
	if l.WindowS != nil {
		parts = append(parts, secs(*l.WindowS))
	}
	if l.Window != nil {
		parts = append(parts, p.Say("show.window_from", secs(l.Window.FullS), secs(l.Window.EmptiedS)))
	}
	if l.DurationS != nil {
		parts = append(parts, p.Say("show.whole", secs(*l.DurationS)))
	}
	if l.Rounds > 1 {
		parts = append(parts, p.Say("show.rounds", l.Rounds))
	}
	if l.Opened > 0 {
		parts = append(parts, p.Say("show.opened", count(l.Opened)))
	}
	return strings.Join(parts, " · ")
}

func (p *page) counted(l *report.Level) string {
	r := l.Reliability
	parts := []string{p.Say("show.sent_ok", count(r.Sent), count(r.OK)), p.Say("show.n_failed", count(r.Failed))}
	if r.Cut > 0 {
		parts = append(parts, p.Say("show.n_cut", count(r.Cut)))
	}
	if r.Client > 0 {
		parts = append(parts, p.Say("show.n_client", count(r.Client)))
	}
	parts = append(parts, p.Say("show.success", percent(r.SuccessPercent)))
	if l.WarmUp.Sent > 0 {
		parts = append(parts, p.Say("show.warmup", count(l.WarmUp.Sent), count(l.WarmUp.OK)))
	}
	return strings.Join(parts, " · ")
}

// finishes lists the API's own words for why answers ended, the usual first.
func finishes(all map[string]int) string {
	words := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(all[b]-all[a], strings.Compare(a, b))
	})
	for i, w := range words {
		words[i] = oneLine(w) + " " + count(all[w])
	}
	return strings.Join(words, " · ")
}

func (p *page) tokens(t report.Tokens) string {
	var parts []string
	if t.Input != nil || t.Output != nil {
		parts = append(parts, p.Say("show.tokens_of", knownCount(t.Input), knownCount(t.Output)))
	}
	if t.Cached != nil {
		parts = append(parts, p.Say("show.cached", count(*t.Cached)))
	}
	if t.Reasoning != nil {
		parts = append(parts, p.Say("show.reasoning", count(*t.Reasoning)))
	}
	switch t.Source {
	case "usage":
		parts = append(parts, p.Say("show.from_usage"))
	case "none", "":
		parts = append(parts, p.Say("show.from_none"))
	default:
		parts = append(parts, oneLine(t.Source))
	}
	if t.OutputEstimated != nil {
		parts = append(parts, p.Say("show.estimated", count(*t.OutputEstimated)))
	}
	if t.WithoutCount > 0 {
		parts = append(parts, p.Say("show.n_without", count(t.WithoutCount)))
	}
	if t.NonceInput != nil {
		parts = append(parts, p.Say("show.nonce", num(*t.NonceInput)))
	}
	return strings.Join(parts, " · ")
}

func (p *page) frames(f report.Frames) string {
	if f.Output == 0 {
		return ""
	}
	parts := []string{p.Say("show.frames_of", count(f.Output)), p.Say("show.uncertain", count(f.Uncertain), count(f.FirstUncertain))}
	if f.TTFTWithin != nil && *f.TTFTWithin > 0 {
		parts = append(parts, p.Say("show.ttft_within", millis(*f.TTFTWithin)))
	}
	if f.ITLWithin != nil && *f.ITLWithin > 0 {
		parts = append(parts, p.Say("show.itl_within", millis(*f.ITLWithin)))
	}
	if f.TokensPerFrame != nil {
		parts = append(parts, p.Say("show.per_frame", num(*f.TokensPerFrame)))
	}
	switch f.Stamps {
	case "kernel":
		parts = append(parts, p.Say("show.stamps_kernel"))
	case "read":
		parts = append(parts, p.Say("show.stamps_read"))
	case "mixed":
		parts = append(parts, p.Say("show.stamps_mixed"))
	}
	return strings.Join(parts, " · ")
}
