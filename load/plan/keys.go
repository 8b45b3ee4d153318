package plan

import (
	"strings"
	"unicode/utf8"

	"tidemark/load/arrival"
	"tidemark/text"
)

// Key is one word of a plan, and the flag of the same name.
type Key struct {
	Name    string // as a plan file has it
	Flag    string // as the command line has it, without the leading dashes
	Kind    Kind
	Switch  bool         // Kind is Switch: the flag needs no value
	Off     bool         // the flag sets the key to the opposite of its own value
	Repeat  bool         // the flag may be given again, and adds
	Load    bool         // it says what is sent how often: of no use to a single request
	Help    text.Message // one line, no full stop
	Default string       // as it would be written; "": nothing, or a rule that Help tells
}

// row is a key with what reads, shows and refuses its value.
type row struct {
	name string
	help text.Message
	access
	check func(*Plan) *trouble // nil: every value of its kind is fine
}

// table is every key, in the order in which they are shown and saved.
var table = []row{
	{"url", text.Msg("plan.key.url"), word(func(p *Plan) *string { return &p.URL }), checkURL},
	{"provider", text.Msg("plan.key.provider"), word(func(p *Plan) *string { return &p.Provider }), nil},
	{"dialect", text.Msg("plan.key.dialect"), word(func(p *Plan) *string { return &p.Dialect }), nil},
	{"model", text.Msg("plan.key.model"), words(func(p *Plan) *[]string { return &p.Models }), checkModels},
	{"key_env", text.Msg("plan.key.key_env"), word(func(p *Plan) *string { return &p.KeyEnv }), checkKeyEnv},
	{"key_file", text.Msg("plan.key.key_file"), word(func(p *Plan) *string { return &p.KeyFile }), checkKeyFile},
	{"header", text.Msg("plan.key.header"), headers(func(p *Plan) *map[string]string { return &p.Headers }), checkHeaders},

	{"prompts", text.Msg("plan.key.prompts"), word(func(p *Plan) *string { return &p.Prompts }), nil},
	{"system", text.Msg("plan.key.system"), prose(func(p *Plan) *string { return &p.System }), nil},
	{"max_tokens", text.Msg("plan.key.max_tokens"), whole(func(p *Plan) *int { return &p.MaxTokens }), checkMaxTokens},
	{"max_tokens_field", text.Msg("plan.key.max_tokens_field"), word(func(p *Plan) *string { return &p.MaxTokensField }), checkMaxTokensField},
	{"temperature", text.Msg("plan.key.temperature"), decimal(func(p *Plan) **float64 { return &p.Temperature }), checkTemperature},
	{"extra", text.Msg("plan.key.extra"), bodyFields(func(p *Plan) *map[string]any { return &p.Extra }), checkExtra},
	{"stream", text.Msg("plan.key.stream"), toggle(func(p *Plan) *bool { return &p.Stream }), nil},
	{"cache", text.Msg("plan.key.cache"), word(func(p *Plan) *string { return &p.Cache }), checkCache},
	{"save_answers", text.Msg("plan.key.save_answers"), toggle(func(p *Plan) *bool { return &p.SaveAnswers }), nil},

	{"concurrency", text.Msg("plan.key.concurrency"), levels(), checkSteps(func(p *Plan) []int { return p.Concurrency }, text.Msg("plan.concurrency.hint"))},
	{"sessions", text.Msg("plan.key.sessions"), stated(steps(func(p *Plan) *[]int { return &p.Sessions }), atLeastOne(func(p *Plan) int { return len(p.Sessions) }, text.Msg("plan.sessions.hint"))), checkSteps(func(p *Plan) []int { return p.Sessions }, text.Msg("plan.sessions.hint"))},
	{"rate", text.Msg("plan.key.rate"), paces(func(p *Plan) *[]arrival.Pace { return &p.Rates }), checkPaces(func(p *Plan) []arrival.Pace { return p.Rates })},
	{"token_rate", text.Msg("plan.key.token_rate"), paces(func(p *Plan) *[]arrival.Pace { return &p.TokenRates }), checkPaces(func(p *Plan) []arrival.Pace { return p.TokenRates })},
	{"arrival", text.Msg("plan.key.arrival"), law(func(p *Plan) *arrival.Law { return &p.Arrival }), checkArrival},
	{"cv", text.Msg("plan.key.cv"), fraction(func(p *Plan) *float64 { return &p.CV }), checkCV},
	{"trace", text.Msg("plan.key.trace"), word(func(p *Plan) *string { return &p.Trace }), nil},
	{"scale", text.Msg("plan.key.scale"), fraction(func(p *Plan) *float64 { return &p.TraceScale }), checkScale},
	{"slice", text.Msg("plan.key.slice"), slice(func(p *Plan) *Slice { return &p.Slice }), nil},
	{"trace_columns", text.Msg("plan.key.trace_columns"), labels(func(p *Plan) *map[string]string { return &p.TraceColumns }), checkTraceColumns},
	{"max_in_flight", text.Msg("plan.key.max_in_flight"), whole(func(p *Plan) *int { return &p.MaxInFlight }), checkMaxInFlight},
	{"turns", text.Msg("plan.key.turns"), stated(whole(func(p *Plan) *int { return &p.Turns }), statedTurns), checkTurns},
	{"think", text.Msg("plan.key.think"), span(func(p *Plan) *duration { return &p.Think }), notNegative(func(p *Plan) duration { return p.Think })},
	{"prefix_tokens", text.Msg("plan.key.prefix_tokens"), whole(func(p *Plan) *int { return &p.PrefixTokens }), checkPrefix(func(p *Plan) int { return p.PrefixTokens })},
	{"user_prefix_tokens", text.Msg("plan.key.user_prefix_tokens"), whole(func(p *Plan) *int { return &p.UserPrefixTokens }), checkPrefix(func(p *Plan) int { return p.UserPrefixTokens })},
	{"mix", text.Msg("plan.key.mix"), shares(func(p *Plan) *map[string]float64 { return &p.Mix }), checkMix},
	{"cancel_percent", text.Msg("plan.key.cancel_percent"), fraction(func(p *Plan) *float64 { return &p.CancelPercent }), checkCancelPercent},
	{"cancel_after", text.Msg("plan.key.cancel_after"), leave(func(p *Plan) *Leave { return &p.CancelAfter }), nil},
	{"requests", text.Msg("plan.key.requests"), whole(func(p *Plan) *int { return &p.Requests }), checkRequests},
	{"duration", text.Msg("plan.key.duration"), span(func(p *Plan) *duration { return &p.Duration }), checkDuration},
	{"rounds", text.Msg("plan.key.rounds"), whole(func(p *Plan) *int { return &p.Rounds }), checkRounds},
	{"warmup", text.Msg("plan.key.warmup"), whole(func(p *Plan) *int { return &p.WarmUp }), checkWarmUp},
	{"keep_climbing", text.Msg("plan.key.keep_climbing"), toggle(func(p *Plan) *bool { return &p.KeepClimbing }), nil},
	{"seed", text.Msg("plan.key.seed"), natural(func(p *Plan) *uint64 { return &p.Seed }), nil},

	{"connect_timeout", text.Msg("plan.key.connect_timeout"), span(func(p *Plan) *duration { return &p.ConnectTimeout }), notNegative(func(p *Plan) duration { return p.ConnectTimeout })},
	{"ttft_timeout", text.Msg("plan.key.ttft_timeout"), span(func(p *Plan) *duration { return &p.TTFTTimeout }), notNegative(func(p *Plan) duration { return p.TTFTTimeout })},
	{"idle_timeout", text.Msg("plan.key.idle_timeout"), span(func(p *Plan) *duration { return &p.IdleTimeout }), notNegative(func(p *Plan) duration { return p.IdleTimeout })},
	{"timeout", text.Msg("plan.key.timeout"), span(func(p *Plan) *duration { return &p.Timeout }), notNegative(func(p *Plan) duration { return p.Timeout })},
	{"output_idle_timeout", text.Msg("plan.key.output_idle_timeout"), span(func(p *Plan) *duration { return &p.OutputIdleTimeout }), notNegative(func(p *Plan) duration { return p.OutputIdleTimeout })},
	{"drain", text.Msg("plan.key.drain"), span(func(p *Plan) *duration { return &p.Drain }), notNegative(func(p *Plan) duration { return p.Drain })},
	{"max_time", text.Msg("plan.key.max_time"), span(func(p *Plan) *duration { return &p.MaxTime }), checkMaxTime},
	{"max_error_percent", text.Msg("plan.key.max_error_percent"), stated(fraction(func(p *Plan) *float64 { return &p.MaxErrorPercent }), statedErrorPercent), checkMaxErrorPercent},
	{"max_total_tokens", text.Msg("plan.key.max_total_tokens"), count(func(p *Plan) *int64 { return &p.MaxTotalTokens }), checkMaxTotalTokens},

	{"label", text.Msg("plan.key.label"), labels(func(p *Plan) *map[string]string { return &p.Labels }), checkLabels},
	{"ignore_preflight", text.Msg("plan.key.ignore_preflight"), toggle(func(p *Plan) *bool { return &p.IgnorePreflight }), nil},
}

// Keys lists every key, in the order in which they are shown.
func Keys() []Key {
	keys := make([]Key, len(table))
	none := Default()
	for i, r := range table {
		keys[i] = Key{
			Name:   r.name,
			Flag:   strings.TrimPrefix(r.flag(), "--"),
			Kind:   r.kind,
			Switch: r.kind == Switch,
			Off:    turnsOff(r.name),
			Repeat: r.kind == Pairs,
			Load:   ofLoad(r.name),
			Help:   r.help,
		}
		if value := r.show(none); !nothing(value) {
			keys[i].Default = plainText(value)
		}
	}
	return keys
}

func ofLoad(name string) bool {
	switch name {
	case "prompts", "cache", "save_answers", "concurrency", "requests", "duration", "rounds", "warmup", "keep_climbing",
		"seed", "drain", "max_time", "max_error_percent", "max_total_tokens", "label", "ignore_preflight",
		"sessions", "rate", "token_rate", "arrival", "cv", "trace", "scale", "slice", "trace_columns", "max_in_flight", "turns",
		"think", "prefix_tokens", "user_prefix_tokens", "mix", "cancel_percent", "cancel_after":
		return true
	}
	return false
}

// names lists the keys' names.
func names() []string {
	all := make([]string, len(table))
	for i, r := range table {
		all[i] = r.name
	}
	return all
}

func rowOf(name string) (row, bool) {
	for _, r := range table {
		if r.name == name {
			return r, true
		}
	}
	return row{}, false
}

// Set gives a key the value that its flag was given, written as its Kind has
// it. The key may be named by its name or its flag: "no-stream" takes the
// opposite. A key that repeats adds to what is there; any other replaces it.
// Every error is a *text.Fault that names the flag.
func (p *Plan) Set(key, value string) error {
	name, off := underscored(key), false
	if bare, cut := strings.CutPrefix(name, "no_"); cut && turnsOff(bare) {
		name, off = bare, true
	}
	r, ok := rowOf(name)
	if !ok {
		return unknown(key).fault()
	}
	t := r.setFlag(p, value, off)
	if t == nil {
		return nil
	}
	t.what = text.Msg("plan.in_key", r.flag(), t.what)
	return t.fault()
}

// turnsOff says whether a key's flag is there to turn it off.
func turnsOff(name string) bool {
	r, ok := rowOf(name)
	return ok && r.kind == Switch && r.show(Default()) == true
}

func (r row) flag() string {
	flag := strings.ReplaceAll(r.name, "_", "-")
	if turnsOff(r.name) {
		flag = "no-" + flag
	}
	return "--" + flag
}

func (r row) setFlag(p *Plan, value string, off bool) *trouble {
	if !utf8.ValidString(value) {
		return wrong(text.Msg("plan.not_utf8"), text.Msg("plan.not_utf8.hint"))
	}
	g := scalar(value)
	if r.kind == Pairs {
		var t *trouble
		if g, t = r.pair(value); t != nil {
			return t
		}
	}
	switch {
	case off && value == "true":
		g = scalar("false")
	case off && value == "false":
		g = scalar("true")
	}
	return r.set(p, g)
}

// set takes a value and refuses what the key can't have. A refused value may
// have been taken: the plan is of no use then.
func (r row) set(p *Plan, g given) *trouble {
	if t := r.take(p, g); t != nil {
		return t
	}
	if r.check == nil {
		return nil
	}
	return r.check(p)
}
