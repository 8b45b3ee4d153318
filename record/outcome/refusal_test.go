package outcome

import "testing"

func TestFromStatus(t *testing.T) {
	for _, c := range []struct {
		name          string
		status        int
		code, message string
		want          Class
	}{
		{"plain 401", 401, "", "", Auth},
		{"401 of a key", 401, "invalid_api_key", "Incorrect API key provided", Auth},
		{"401 of a spent key", 401, "", "该令牌额度已用尽", Quota},
		{"402", 402, "", "", Quota},
		{"plain 403", 403, "", "forbidden", Auth},
		{"403 balance", 403, "insufficient_user_quota", "用户额度不足, 剩余额度: ¥0", Quota},
		{"403 model not allowed", 403, "", "this key may not use model toy-1", Auth},
		{"403 of a quota's table", 403, "", "quota table locked", Auth},
		{"400 of a quota's field", 400, "", "unknown field quota. The limit of fields is exceeded", BadRequest},
		{"429 of a quota's service", 429, "", "quota service unavailable, try again", RateLimited},
		{"429 free quota", 429, "Throttling.AllocationQuota", "Free allocated quota exceeded", Quota},
		{"429 code alone", 429, "quota_exceeded", "no", Quota},
		{"403 used up", 403, "", "Your quota for this month is used up", Quota},
		{"403 exhausted", 403, "", "The free quota of this model is exhausted. Switch to pay as you go", Quota},
		{"400 billing limit", 400, "", "Billing hard limit has been reached", Quota},
		{"400 billing page", 400, "", "see the billing page", BadRequest},
		{"403 arrears", 403, "Arrearage", "Access denied, make sure your account is in good standing", Quota},
		{"403 配额", 403, "", "配额已用完", Quota},
		{"403 配额 asked for", 403, "", "查询额度失败", Auth},
		{"plain 429", 429, "", "slow down", RateLimited},
		{"429 tokens per minute", 429, "rate_limit_exceeded", "Rate limit reached: limit 10000 tokens per minute. Visit billing to increase it", RateLimited},
		{"429 quota a minute", 429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric 'generate requests per minute'", RateLimited},
		{"429 quota", 429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details", Quota},
		{"429 balance", 429, "1113", "您的账户余额不足,请充值后使用", Quota},
		{"400 credit", 400, "invalid_request_error", "Your credit balance is too low to access the API", Quota},
		{"case 404-model-vs-404-path a", 404, "model_not_found", "model 'toy-9' missing", ModelNotFound},
		{"case 404-model-vs-404-path b", 404, "", "model 'toy-9' not found", ModelNotFound},
		{"case 404-model-vs-404-path c", 404, "", "404 page not found", PathNotFound},
		{"case 404-model-vs-404-path d", 400, "", "unknown model toy-9", ModelNotFound},
		{"404 in Chinese", 404, "", "模型不存在", ModelNotFound},
		{"404 of a route", 404, "", "Not Found", PathNotFound},
		{"400 of a model", 400, "", "The model `toy-9` does not exist", ModelNotFound},
		{"422 of a model", 422, "", "model toy-9 is not available", ModelNotFound},
		{"400 of a field", 400, "unsupported_parameter", "'max_tokens' is not supported with this model. Use 'max_completion_tokens'", BadRequest},
		{"400 of a length", 400, "context_length_exceeded", "This model's maximum context length is 8192 tokens", BadRequest},
		{"503 without a channel", 503, "model_not_found", "no channel for model toy-9", ModelNotFound},
		{"413", 413, "", "", BadRequest},
		{"422", 422, "", "", BadRequest},
		{"503", 503, "", "", Overloaded},
		{"case 529-overloaded", 529, "overloaded_error", "busy", Overloaded},
		{"500", 500, "", "boom", "http_500"},
		{"case 502-504-html-from-proxy", 524, "", "a timeout occurred", "http_524"},
		{"405", 405, "", "", "http_405"},
		{"301", 301, "", "", Redirected},
		{"304", 304, "", "", Redirected},
		{"case zero-byte-200, 204", 204, "", "", UnexpectedStatus},
		{"101", 101, "", "", UnexpectedStatus},
	} {
		if got := FromStatus(c.status, c.code, c.message); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestInBand(t *testing.T) {
	for _, c := range []struct {
		status        int
		code, message string
		want          Class
	}{
		{500, "", "engine gone", InbandError},
		{502, "", "", InbandError},
		{0, "", "model toy-9 not found", InbandError},
		{0, "", "quota table locked", InbandError},
		{500, "", "the quota can't be looked up; retries exceeded", InbandError},
		{0, "", "load balancer: retries exceeded", InbandError},
		{0, "", "查询已用额度失败", InbandError},
		{0, "", "monthly quota exceeded", Quota},
		{0, "", "余额查询超时", InbandError},
		{429, "", "upstream limited", RateLimited},
		{0, "rate_limit_exceeded", "", RateLimited},
		{429, "insufficient_quota", "", Quota},
		{402, "", "", Quota},
		{0, "", "账户余额不足", Quota},
		{529, "", "", Overloaded},
		{0, "overloaded_error", "busy", Overloaded},
	} {
		if got := InBand(c.status, c.code, c.message); got != c.want {
			t.Errorf("%d %q %q: %s, want %s", c.status, c.code, c.message, got, c.want)
		}
	}
}
