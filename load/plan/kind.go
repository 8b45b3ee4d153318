package plan

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tidemark/text"
)

// Kind is how a key's value is written.
type Kind = string

const (
	Word     Kind = "text"
	Number   Kind = "number"
	Decimal  Kind = "decimal"
	Duration Kind = "duration" // 30s, 5m
	Switch   Kind = "switch"   // true or false
	List     Kind = "list"     // a,b,c
	Pairs    Kind = "pairs"    // name=value
)

type duration = time.Duration

// access is how one kind of value gets into a plan and out of it.
type access struct {
	kind Kind
	take func(*Plan, given) *trouble
	show func(*Plan) any // a value that save.go can write
	// pair reads what a flag of kind Pairs was given. Nil for other kinds.
	pair func(string) (given, *trouble)
}

// each makes an access for a value that is one scalar.
func each[T any](kind Kind, field func(*Plan) *T, read func(string) (T, *trouble)) access {
	return access{
		kind: kind,
		take: func(p *Plan, g given) *trouble {
			s, t := saidText(g)
			if t != nil {
				return t
			}
			v, t := read(strings.TrimSpace(s))
			if t == nil {
				*field(p) = v
			}
			return t
		},
		show: func(p *Plan) any { return *field(p) },
	}
}

// saidText is what a scalar says.
func saidText(g given) (string, *trouble) {
	if g.shape != single {
		return "", wrong(text.Msg("plan.not_single"), text.Msg("plan.not_single.hint"))
	}
	return g.text, nil
}

// word is a text without white space around it.
func word(field func(*Plan) *string) access {
	return each(Word, field, func(s string) (string, *trouble) { return s, nil })
}

// prose is a text as it was written.
func prose(field func(*Plan) *string) access {
	a := word(field)
	a.take = func(p *Plan, g given) *trouble {
		s, t := saidText(g)
		if t == nil {
			*field(p) = s
		}
		return t
	}
	return a
}

func whole(field func(*Plan) *int) access {
	return each(Number, field, func(s string) (int, *trouble) {
		n, err := strconv.Atoi(s)
		return n, notNumber(s, err)
	})
}

func count(field func(*Plan) *int64) access {
	return each(Number, field, func(s string) (int64, *trouble) {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, notNumber(s, err)
	})
}

func natural(field func(*Plan) *uint64) access {
	return each(Number, field, func(s string) (uint64, *trouble) {
		n, err := strconv.ParseUint(s, 10, 64)
		return n, notNumber(s, err)
	})
}

func notNumber(s string, err error) *trouble {
	if err == nil {
		return nil
	}
	return wrong(text.Msg("plan.not_number", shortened(s)), text.Msg("plan.not_number.hint"))
}

func decimal(field func(*Plan) **float64) access {
	a := each(Decimal, field, func(s string) (*float64, *trouble) {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, wrong(text.Msg("plan.not_decimal", shortened(s)), text.Msg("plan.not_decimal.hint"))
		}
		return &f, nil
	})
	a.show = func(p *Plan) any {
		if f := *field(p); f != nil {
			return *f
		}
		return nil
	}
	return a
}

func toggle(field func(*Plan) *bool) access {
	return each(Switch, field, func(s string) (bool, *trouble) {
		if s != "true" && s != "false" {
			return false, wrong(text.Msg("plan.not_switch", shortened(s)), text.Msg("plan.not_switch.hint"))
		}
		return s == "true", nil
	})
}

func span(field func(*Plan) *duration) access {
	return each(Duration, field, func(s string) (duration, *trouble) {
		d, err := time.ParseDuration(s)
		if err == nil {
			return d, nil
		}
		hint := text.Msg("plan.not_duration.hint")
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			hint = text.Msg("plan.no_unit.hint", shortened(s))
		}
		return 0, wrong(text.Msg("plan.not_duration", shortened(s)), hint)
	})
}

// items splits a list, however it was written.
func items(g given) ([]given, *trouble) {
	switch g.shape {
	case mapping:
		return nil, wrong(text.Msg("plan.not_list"), text.Msg("plan.not_list.hint"))
	case single:
		var all []given
		for s := range strings.SplitSeq(g.text, ",") {
			all = append(all, given{at: g.at, text: s})
		}
		return all, nil
	}
	for _, item := range g.list {
		if item.shape != single {
			return nil, wrong(text.Msg("plan.not_list"), text.Msg("plan.not_list.hint")).near(item.at)
		}
	}
	return g.list, nil
}

// several makes an access for a list of scalars.
func several[T any](field func(*Plan) *[]T, read func(string) (T, *trouble)) access {
	return access{
		kind: List,
		take: func(p *Plan, g given) *trouble {
			all, t := items(g)
			if t != nil {
				return t
			}
			var values []T
			for _, item := range all {
				v, t := read(strings.TrimSpace(item.text))
				if t != nil {
					return t.near(item.at)
				}
				values = append(values, v)
			}
			*field(p) = values
			return nil
		},
		show: func(p *Plan) any { return *field(p) },
	}
}

func words(field func(*Plan) *[]string) access {
	return several(field, func(s string) (string, *trouble) { return s, nil })
}

func steps(field func(*Plan) *[]int) access {
	return several(field, func(s string) (int, *trouble) {
		n, err := strconv.Atoi(s)
		return n, notNumber(s, err)
	})
}
