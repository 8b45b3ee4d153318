package plan

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"tidemark/load/arrival"
	"tidemark/text"
)

// How the values of the load are written, where that is no plain kind.

// stated refuses, where a key is given, what only a key that is not given may
// have: a zero that stands for a rule, a list of nothing.
func stated(a access, refuse func(*Plan) *trouble) access {
	take := a.take
	a.take = func(p *Plan, g given) *trouble {
		if t := take(p, g); t != nil {
			return t
		}
		return refuse(p)
	}
	return a
}

// levels shows the ladder that is climbed, named or not.
func levels() access {
	a := steps(func(p *Plan) *[]int { return &p.Concurrency })
	a.show = func(p *Plan) any {
		if l := p.Ladder(); l != nil {
			return l
		}
		return nil
	}
	return stated(a, atLeastOne(func(p *Plan) int { return len(p.Concurrency) }, text.Msg("plan.concurrency.hint")))
}

// paces makes an access for levels that are rates.
func paces(field func(*Plan) *[]arrival.Pace) access {
	a := several(field, func(s string) (arrival.Pace, *trouble) {
		pace, err := arrival.ParsePace(s)
		if f := (*text.Fault)(nil); errors.As(err, &f) {
			return pace, wrong(f.What, f.Hint)
		}
		return pace, nil
	})
	a.show = func(p *Plan) any {
		var all []string
		for _, pace := range *field(p) {
			all = append(all, pace.Text)
		}
		return all
	}
	return stated(a, atLeastOne(func(p *Plan) int { return len(*field(p)) }, text.Msg("arrival.hint")))
}

func law(field func(*Plan) *arrival.Law) access {
	a := each(Word, field, func(s string) (arrival.Law, *trouble) { return arrival.Law(s), nil })
	a.show = func(p *Plan) any { return string(*field(p)) }
	return a
}

// fraction is a number that has a value where nothing is said.
func fraction(field func(*Plan) *float64) access {
	return access{
		kind: Decimal,
		take: func(p *Plan, g given) *trouble {
			var v *float64
			t := decimal(func(*Plan) **float64 { return &v }).take(p, g)
			if t == nil {
				*field(p) = *v
			}
			return t
		},
		show: func(p *Plan) any { return *field(p) },
	}
}

// slice reads "10m..20m", "10m.." and "..20m".
func slice(field func(*Plan) *Slice) access {
	a := each(Word, field, func(s string) (Slice, *trouble) {
		from, to, ok := strings.Cut(s, "..")
		v, err := Slice{}, error(nil)
		if from != "" {
			v.From, err = time.ParseDuration(strings.TrimSpace(from))
		}
		if to != "" && err == nil {
			v.To, err = time.ParseDuration(strings.TrimSpace(to))
		}
		if !ok || err != nil || from == to || v.From < 0 || to != "" && v.To <= v.From {
			return v, wrong(text.Msg("plan.slice", shortened(s)), text.Msg("plan.slice.hint"))
		}
		return v, nil
	})
	a.show = func(p *Plan) any {
		s := *field(p)
		switch {
		case s == Slice{}:
			return nil
		case s.To == 0:
			return plainText(s.From) + ".."
		}
		return plainText(s.From) + ".." + plainText(s.To)
	}
	return a
}

// leave reads a number of output frames, or a time.
func leave(field func(*Plan) *Leave) access {
	a := each(Word, field, func(s string) (Leave, *trouble) {
		if n, err := strconv.Atoi(s); err == nil && n > 0 {
			return Leave{Frames: n}, nil
		}
		if d, err := time.ParseDuration(s); err == nil && d > 0 {
			return Leave{After: d}, nil
		}
		return Leave{}, wrong(text.Msg("plan.leave", shortened(s)), text.Msg("plan.leave.hint"))
	})
	a.show = func(p *Plan) any {
		switch l := *field(p); {
		case l.Frames > 0:
			return l.Frames
		case l.After > 0:
			return l.After
		}
		return nil
	}
	return a
}

// heaviest is beyond any share that a person means, and far from where sums
// of shares overflow.
const heaviest = 1e9

// shares makes an access for names with weights.
func shares(field func(*Plan) *map[string]float64) access {
	a := members(field, func(g given) (float64, *trouble) {
		s, t := saidText(g)
		if t != nil {
			return 0, t
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(v > 0 && v <= heaviest) {
			return 0, wrong(text.Msg("plan.share", shortened(s)), text.Msg("plan.share.hint"))
		}
		return v, nil
	}, asIs)
	a.show = func(p *Plan) any {
		if len(*field(p)) == 0 {
			return nil
		}
		all := map[string]any{}
		for name, v := range *field(p) {
			all[name] = v
		}
		return all
	}
	return a
}
