package dialect

import (
	"math"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record/outcome"
)

func TestError(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		header http.Header
		body   string
		want   Failure
	}{
		{"case 429-plain-text-with-retry-after-seconds", 429, http.Header{"Retry-After": {"7"}}, "slow down\n", Failure{Class: outcome.RateLimited, Message: "slow down", RetryAfter: 7}},
		{"case 529-overloaded", 529, nil, `{"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"req_x"}`,
			Failure{Class: outcome.Overloaded, Code: "overloaded_error", Message: "busy", RequestID: "req_x"}},
		{"case 502-504-html-from-proxy", 502, http.Header{"Server": {"nginx"}}, "<html>\r\n<head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>",
			Failure{Class: "http_502", Message: "502 Bad Gateway [server: nginx]"}},
		{"a page without a title", 524, nil, "<!DOCTYPE html><html><head><style>p{}</style></head><body><p>A timeout &amp; more</p>\n<!-- x --></body>",
			Failure{Class: "http_524", Message: "A timeout & more"}},
		{"case 404-model-vs-404-path a", 404, nil, `{"error":{"message":"model 'toy-9' missing","code":"model_not_found"}}`, Failure{Class: outcome.ModelNotFound, Code: "model_not_found", Message: "model 'toy-9' missing"}},
		{"case 404-model-vs-404-path b", 404, nil, `{"error":"model 'toy-9' not found"}`, Failure{Class: outcome.ModelNotFound, Message: "model 'toy-9' not found"}},
		{"case 404-model-vs-404-path c", 404, nil, "404 page not found", Failure{Class: outcome.PathNotFound, Message: "404 page not found"}},
		{"case 404-model-vs-404-path d", 400, nil, `{"error":{"message":"unknown model toy-9"}}`, Failure{Class: outcome.ModelNotFound, Message: "unknown model toy-9"}},
		{"a route that is not there", 404, nil, `{"detail":"Not Found"}`, Failure{Class: outcome.PathNotFound, Message: "Not Found"}},
		{"a numeric code beside a type", 404, nil, `{"error":{"message":"The model toy-9 does not exist.","type":"NotFoundError","code":404}}`, Failure{Class: outcome.ModelNotFound, Code: "404", Message: "The model toy-9 does not exist."}},
		{"case 400-max-tokens-name", 400, nil, `{"error":{"message":"use max_completion_tokens","param":"max_tokens","code":"unsupported_parameter"}}`,
			Failure{Class: outcome.BadRequest, Code: "unsupported_parameter", Message: "use max_completion_tokens"}},
		{"a list of details", 422, nil, `{"detail":[{"msg":"field required"}]}`, Failure{Class: outcome.BadRequest, Message: `{"detail":[{"msg":"field required"}]}`}},
		{"a list of errors", 400, nil, `[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`, Failure{Class: outcome.BadRequest, Code: "400", Message: "bad"}},
		{"balance", 403, nil, `{"error":{"message":"用户额度不足","type":"new_api_error","code":"insufficient_user_quota"}}`, Failure{Class: outcome.Quota, Code: "insufficient_user_quota", Message: "用户额度不足"}},
		{"balance by type alone", 429, nil, `{"error":{"message":"see your plan","type":"insufficient_quota","code":429}}`, Failure{Class: outcome.Quota, Code: "429", Message: "see your plan"}},
		{"case zero-byte-200, 500", 500, nil, "", Failure{Class: "http_500"}},
		{"cut JSON", 500, nil, `{"error":{"mess`, Failure{Class: "http_500", Message: `{"error":{"mess`}},
		{"a JSON string", 500, nil, `"boom"`, Failure{Class: "http_500", Message: "boom"}},
		{"redirect", 308, http.Header{"Location": {"https://h/v1/chat/completions"}}, "<html>moved</html>", Failure{Class: outcome.Redirected, Message: "https://h/v1/chat/completions"}},
		{"ids: header wins", 401, http.Header{"X-Request-Id": {"r1"}}, `{"error":{"message":"no key"},"request_id":"r2"}`, Failure{Class: outcome.Auth, Message: "no key", RequestID: "r1"}},
	} {
		got := chat{}.Error(c.status, c.header, []byte(c.body))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// case retry-after-http-date-and-odd-values
func TestRetryAfter(t *testing.T) {
	const now, ahead, past = "Mon, 02 Nov 2026 10:00:00 GMT", "Mon, 02 Nov 2026 10:00:30 GMT", "Mon, 02 Nov 2026 09:00:00 GMT"
	for _, c := range []struct {
		name   string
		header http.Header
		want   float64
	}{
		{"a date", http.Header{"Retry-After": {ahead}, "Date": {now}}, 30},
		{"a date in the past", http.Header{"Retry-After": {past}, "Date": {now}}, 0},
		{"a date without ours", http.Header{"Retry-After": {ahead}}, 0},
		{"part of a second", http.Header{"Retry-After": {"0.49"}}, 0.49},
		{"negative", http.Header{"Retry-After": {"-1"}}, 0},
		{"16 days", http.Header{"Retry-After": {"1382400"}}, 1382400},
		{"absent", nil, 0},
		{"two", http.Header{"Retry-After": {"3", "9"}}, 3},
		{"milliseconds first", http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"9"}}, 1.5},
		{"no number", http.Header{"Retry-After": {"NaN"}}, 0},
		{"endless", http.Header{"Retry-After": {"+Inf"}}, 0},
	} {
		if got := retryAfter(c.header); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("3", "", "")
	f.Add("", "1500", "")
	f.Add("Fri, 31 Dec 9999 23:59:59 GMT", "", "Mon, 01 Jan 0001 00:00:00 GMT")
	f.Add("-1", "NaN", "0x1p-2")
	f.Fuzz(func(t *testing.T, after, ms, date string) {
		got := retryAfter(http.Header{"Retry-After": {after}, "Retry-After-Ms": {ms}, "Date": {date}})
		if !(got >= 0) || math.IsInf(got, 0) {
			t.Fatalf("%v", got)
		}
	})
}
