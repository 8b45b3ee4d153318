package dialect

import (
	"math"

	"github.com/valyala/fastjson"

	"tidemark/record"
)

// usage takes the counts of a frame from the first place that has them: the
// frame itself, a choice, a vendor's object.
func (d *chatDecoder) usage(v *fastjson.Value, choices []*fastjson.Value, o *Observation) {
	d.counts(v.Get("usage"), o)
	if (o.Usage != record.Tokens{}) {
		return
	}
	for _, c := range choices {
		d.counts(c.Get("usage"), o)
	}
	d.counts(v.Get("x_groq", "usage"), o)
	if (o.Usage != record.Tokens{}) && !d.moved {
		d.moved = true
		o.Warnings = append(o.Warnings, record.WarnUsageLocation)
	}
}

// counts reads a usage object. A member that is null or missing is absent.
func (d *chatDecoder) counts(u *fastjson.Value, o *Observation) {
	if u == nil || u.Type() != fastjson.TypeObject {
		return
	}
	if n, ok := tokenCount(u.Get("prompt_tokens")); ok {
		// No prompt has zero tokens.
		d.count(&o.Usage.Input, n, n == 0, o)
	}
	if n, ok := tokenCount(u.Get("completion_tokens")); ok {
		d.count(&o.Usage.Output, n, n == 0 && d.spoke, o)
	}
	n, ok := tokenCount(u.Get("prompt_tokens_details", "cached_tokens"))
	if !ok {
		n, ok = tokenCount(u.Get("prompt_cache_hit_tokens"))
	}
	if ok {
		d.count(&o.Usage.Cached, n, false, o)
	}
	n, ok = tokenCount(u.Get("completion_tokens_details", "reasoning_tokens"))
	if !ok {
		n, ok = tokenCount(u.Get("reasoning_tokens"))
	}
	if ok {
		d.count(&o.Usage.Reasoning, n, false, o)
	}
}

// count sets c, unless the number can't be true.
func (d *chatDecoder) count(c *record.Count, n int64, suspect bool, o *Observation) {
	if !suspect {
		*c = record.Count{N: n, Source: record.FromUsage}
		return
	}
	if !d.warned {
		d.warned = true
		o.Warnings = append(o.Warnings, record.WarnSuspectZero)
	}
}

// tokenCount reads a whole number that is not negative.
func tokenCount(v *fastjson.Value) (int64, bool) {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return 0, false
	}
	f, err := v.Float64()
	if err != nil || f < 0 || f > 1<<53 || f != math.Trunc(f) {
		return 0, false
	}
	return int64(f), true
}
