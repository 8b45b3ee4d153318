package plan

import (
	"strings"
	"unicode"

	"tidemark/text"
)

// foreign is names that people bring from other tools: the key that it is
// here, or why there is none.
var foreign = map[string]struct {
	key  string
	note text.Message
}{
	"base_url":          {key: "url"},
	"endpoint":          {key: "url"},
	"endpoint_url":      {key: "url"},
	"target":            {key: "url"},
	"api_base":          {key: "url"},
	"host":              {key: "url"},
	"backend":           {key: "dialect"},
	"endpoint_type":     {key: "dialect"},
	"api":               {key: "dialect"},
	"models":            {key: "model"},
	"model_name":        {key: "model"},
	"headers":           {key: "header"},
	"prompt_file":       {key: "prompts"},
	"prompts_file":      {key: "prompts"},
	"dataset":           {key: "prompts"},
	"dataset_path":      {key: "prompts"},
	"data":              {key: "prompts"},
	"input_file":        {key: "prompts"},
	"system_prompt":     {key: "system"},
	"max_output_tokens": {key: "max_tokens"},
	"output_len":        {key: "max_tokens"},
	"output_tokens":     {key: "max_tokens"},
	"osl":               {key: "max_tokens"},
	"streaming":         {key: "stream"},
	"no_stream":         {note: text.Msg("plan.foreign.no_stream")},
	"extra_body":        {key: "extra"},
	"extra_inputs":      {key: "extra"},

	"parallel":           {key: "concurrency"},
	"concurrent":         {key: "concurrency"},
	"num_concurrent":     {key: "concurrency"},
	"max_concurrency":    {key: "concurrency"},
	"concurrency_levels": {key: "concurrency"},
	"workers":            {key: "concurrency"},
	"num_prompts":        {key: "requests"},
	"num_requests":       {key: "requests"},
	"request_count":      {key: "requests"},
	"max_requests":       {key: "requests"},
	"number":             {key: "requests"},
	"duration_s":         {key: "duration"},
	"max_seconds":        {key: "duration"},
	"benchmark_duration": {key: "duration"},
	"repeat":             {key: "rounds"},
	"repetitions":        {key: "rounds"},
	"iterations":         {key: "rounds"},
	"warmup_rounds":      {key: "warmup"},
	"warmup_requests":    {key: "warmup"},
	"num_warmup":         {key: "warmup"},
	"num_warmups":        {key: "warmup"},
	"random_seed":        {key: "seed"},
	"timeout_s":          {key: "timeout"},
	"timeout_seconds":    {key: "timeout"},
	"request_timeout":    {key: "timeout"},
	"read_timeout":       {key: "idle_timeout"},
	"tags":               {key: "label"},
	"labels":             {key: "label"},
	"metadata":           {key: "label"},

	"max_completion_tokens": {note: text.Msg("plan.foreign.completion_tokens")},

	"api_key":        {note: text.Msg("plan.foreign.key")},
	"apikey":         {note: text.Msg("plan.foreign.key")},
	"key":            {note: text.Msg("plan.foreign.key")},
	"token":          {note: text.Msg("plan.foreign.key")},
	"api_token":      {note: text.Msg("plan.foreign.key")},
	"auth_token":     {note: text.Msg("plan.foreign.key")},
	"openai_api_key": {note: text.Msg("plan.foreign.key")},
	"authorization":  {note: text.Msg("plan.foreign.key")},

	"retries":     {note: text.Msg("plan.foreign.retries")},
	"retry":       {note: text.Msg("plan.foreign.retries")},
	"max_retries": {note: text.Msg("plan.foreign.retries")},

	"users":         {note: text.Msg("plan.foreign.users")},
	"num_users":     {note: text.Msg("plan.foreign.users")},
	"virtual_users": {note: text.Msg("plan.foreign.users")},
	"vus":           {note: text.Msg("plan.foreign.users")},

	"arrival_rate":        {key: "rate"},
	"constant_rate":       {key: "rate"},
	"request_rates":       {key: "rate"},
	"qps":                 {key: "rate"},
	"rps":                 {key: "rate"},
	"request_rate":        {key: "rate"},
	"requests_per_second": {key: "rate"},
	"rpm":                 {note: text.Msg("plan.foreign.per_minute", "rate: 60/min")},
	"requests_per_minute": {note: text.Msg("plan.foreign.per_minute", "rate: 60/min")},
	"tpm":                 {note: text.Msg("plan.foreign.per_minute", "token_rate: 100000/min")},
	"tokens_per_minute":   {note: text.Msg("plan.foreign.per_minute", "token_rate: 100000/min")},
	"arrival_pattern":     {key: "arrival"},
	"arrival_process":     {key: "arrival"},
	"distribution":        {key: "arrival"},
	"burstiness":          {note: text.Msg("plan.foreign.burstiness")},
	"ramp_up":             {note: text.Msg("plan.foreign.ramp")},
	"ramp_up_strategy":    {note: text.Msg("plan.foreign.ramp")},
	"ramp":                {note: text.Msg("plan.foreign.ramp")},
	"rampup":              {note: text.Msg("plan.foreign.ramp")},
	"max_inflight":        {key: "max_in_flight"},
	"max_outstanding":     {key: "max_in_flight"},
	"max_workers":         {key: "max_in_flight"},

	"input_trace":    {key: "trace"},
	"trace_file":     {key: "trace"},
	"trace_path":     {key: "trace"},
	"fixed_schedule": {key: "trace"},
	"time_scale":     {key: "scale"},
	"trace_scale":    {key: "scale"},
	"speedup":        {note: text.Msg("plan.foreign.speedup")},
	"speed_up":       {note: text.Msg("plan.foreign.speedup")},
	"speedup_ratio":  {note: text.Msg("plan.foreign.speedup")},

	"num_sessions":                {key: "sessions"},
	"num_turns":                   {key: "turns"},
	"think_time":                  {key: "think"},
	"prefix_len":                  {key: "prefix_tokens"},
	"prefix_length":               {key: "prefix_tokens"},
	"shared_prefix_len":           {key: "prefix_tokens"},
	"shared_system_prompt_length": {key: "prefix_tokens"},
	"user_context_prompt_length":  {key: "user_prefix_tokens"},
	"cancel_rate":                 {key: "cancel_percent"},
	"request_cancellation_rate":   {key: "cancel_percent"},
	"request_cancellation_delay":  {key: "cancel_after"},
	"max_error_rate":              {key: "max_error_percent"},

	"input_len":            {note: text.Msg("plan.foreign.input")},
	"input_tokens":         {note: text.Msg("plan.foreign.input")},
	"prompt_tokens":        {note: text.Msg("plan.foreign.input")},
	"isl":                  {note: text.Msg("plan.foreign.input")},
	"tokenizer":            {note: text.Msg("plan.foreign.tokenizer")},
	"top_p":                {note: text.Msg("plan.foreign.body")},
	"top_k":                {note: text.Msg("plan.foreign.body")},
	"stop":                 {note: text.Msg("plan.foreign.body")},
	"ignore_eos":           {note: text.Msg("plan.foreign.body")},
	"frequency_penalty":    {note: text.Msg("plan.foreign.body")},
	"presence_penalty":     {note: text.Msg("plan.foreign.body")},
	"response_format":      {note: text.Msg("plan.foreign.body")},
	"reasoning_effort":     {note: text.Msg("plan.foreign.body")},
	"enable_thinking":      {note: text.Msg("plan.foreign.body")},
	"chat_template_kwargs": {note: text.Msg("plan.foreign.body")},

	"out":           {note: text.Msg("plan.foreign.command")},
	"output":        {note: text.Msg("plan.foreign.command")},
	"output_dir":    {note: text.Msg("plan.foreign.command")},
	"format":        {note: text.Msg("plan.foreign.command")},
	"lang":          {note: text.Msg("plan.foreign.command")},
	"plain":         {note: text.Msg("plan.foreign.command")},
	"force":         {note: text.Msg("plan.foreign.command")},
	"allow_invalid": {note: text.Msg("plan.foreign.command")},
	"dry_run":       {note: text.Msg("plan.foreign.command")},
}

// unknown refuses a key that there is none of, and names the one that was
// meant.
func unknown(name string) *trouble {
	if looksLikeKey(name) {
		return wrong(text.Msg("plan.key_as_name"), text.Msg("plan.foreign.key"))
	}
	what := text.Msg("plan.unknown_key", shortened(name))
	plain := underscored(name)
	if _, ok := rowOf(plain); ok {
		return wrong(what, text.Msg("plan.did_you_mean", plain))
	}
	if f, ok := foreign[plain]; ok {
		if f.key == "" {
			return wrong(what, f.note)
		}
		return wrong(what, text.Msg("plan.did_you_mean", f.key))
	}
	if near := Nearest(plain, names()); near != "" {
		return wrong(what, text.Msg("plan.did_you_mean", near))
	}
	return wrong(what, text.Msg("plan.unknown_key.hint", strings.Join(names(), " ")))
}

// underscored writes MaxTokens, maxTokens, max-tokens and MAX_TOKENS as
// max_tokens.
func underscored(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		if r == '-' || r == ' ' || r == '.' {
			r = '_'
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
