package dialect

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"tidemark/record"
	"tidemark/record/outcome"
)

// said is an error in the words it came in, whatever its shape was.
type said struct {
	status    int    // an HTTP status that the error itself gives; 0: none
	code      string // its code, else its type
	kind      string // what tells its kind best: the code, or the type where the code is a number
	message   string
	requestID string
}

// inBand is the failure of an error inside a 200.
func (s said) inBand() *Failure {
	return &Failure{
		Class:     outcome.InBand(s.status, s.kind, s.message),
		Code:      record.OneLine(s.code, record.MessageLimit),
		Message:   record.OneLine(s.message, record.MessageLimit),
		RequestID: record.OneLine(s.requestID, record.MessageLimit),
	}
}

// refused names an answer whose status is not 200. Every dialect that sends
// its errors as JSON objects, and every gateway before it, is read here.
func refused(status int, header http.Header, body []byte) Failure {
	s := saidIn(body)
	if to := header.Get("Location"); status/100 == 3 && to != "" {
		s.message = to
	}
	id := RequestID(header.Get)
	if id == "" {
		id = s.requestID
	}
	message := record.OneLine(s.message, record.MessageLimit)
	if status >= 500 && isPage(body) {
		message = record.OneLine(message+servedBy(header), record.MessageLimit)
	}
	return Failure{
		Class:      outcome.FromStatus(status, s.kind, s.message),
		Code:       record.OneLine(s.code, record.MessageLimit),
		Message:    message,
		RetryAfter: retryAfter(header),
		RequestID:  record.OneLine(id, record.MessageLimit),
	}
}

// servedBy tells a gateway's page from the origin's.
func servedBy(header http.Header) string {
	out := ""
	for _, name := range []string{"Server", "Via"} {
		if v := header.Get(name); v != "" {
			out += " [" + strings.ToLower(name) + ": " + v + "]"
		}
	}
	return out
}

// RequestID is the id that the server, or the gateway before it, gave the
// request in a header; "": none. get is a header's first value.
func RequestID(get func(name string) string) string {
	for _, name := range [...]string{
		"X-Request-Id", "Request-Id", "X-Oneapi-Request-Id", "X-Litellm-Call-Id", "Apim-Request-Id", "X-Amzn-Requestid",
	} {
		if v := get(name); v != "" {
			return v
		}
	}
	return ""
}

// saidIn reads an error's body: JSON of any shape, a page, or plain text.
func saidIn(body []byte) said {
	body = bytes.TrimSpace(body)
	if isPage(body) {
		return said{message: pageText(string(body[:min(len(body), 64<<10)]))}
	}
	var parser fastjson.Parser
	v, err := parser.ParseBytes(body)
	if err != nil {
		return said{message: string(body[:min(len(body), 2*record.MessageLimit)])}
	}
	return saidBy(v)
}

// saidBy reads a JSON value that is known to be an error.
func saidBy(v *fastjson.Value) said {
	if list := v.GetArray(); len(list) > 0 {
		v = list[0]
	}
	id := firstString(v, "request_id", "requestId")
	for _, key := range []string{"error", "errors"} {
		if s, is := readError(v.Get(key)); is {
			if s.requestID == "" {
				s.requestID = id
			}
			return s
		}
	}
	s, _ := readError(v)
	return s
}

// bareRefusal reads an answer that has no error member and still is one:
// {"success":false,"msg":…}, {"code":1002,"message":…}, {"object":"error",…}.
func bareRefusal(v *fastjson.Value) (said, bool) {
	if firstString(v, "message", "msg") == "" {
		return said{}, false
	}
	s := errorObject(v)
	success := v.Get("success")
	switch {
	case success != nil && success.Type() == fastjson.TypeFalse,
		string(v.GetStringBytes("object")) == "error",
		string(v.GetStringBytes("type")) == "error":
		return s, true
	}
	code := scalar(v.Get("code"))
	return s, code != "" && code != "0" && code != "200"
}

// readError reads an error as providers write it: a string, or an object with
// a message, a code and a type. Null, false and whatever is empty are none.
func readError(e *fastjson.Value) (said, bool) {
	if e == nil {
		return said{}, false
	}
	switch e.Type() {
	case fastjson.TypeNull, fastjson.TypeFalse:
		return said{}, false
	case fastjson.TypeString:
		message := string(e.GetStringBytes())
		return said{message: message}, message != ""
	case fastjson.TypeObject:
		if e.GetObject().Len() > 0 {
			return errorObject(e), true
		}
		return said{}, false
	case fastjson.TypeArray:
		if list := e.GetArray(); len(list) > 0 {
			return readError(list[0])
		}
		return said{}, false
	}
	return said{message: e.String()}, true
}

func errorObject(e *fastjson.Value) said {
	code, typ := scalar(e.Get("code")), firstString(e, "type")
	s := said{code: code, kind: code, requestID: firstString(e, "request_id", "requestId")}
	if s.code == "" {
		s.code = typ
	}
	if _, err := strconv.Atoi(code); typ != "" && (code == "" || err == nil) {
		s.kind = typ
	}
	for _, key := range []string{"code", "status", "status_code", "http_code"} {
		if n, err := strconv.Atoi(scalar(e.Get(key))); err == nil && n >= 100 && n < 600 {
			s.status = n
			break
		}
	}
	s.message = firstString(e, "message", "msg", "detail", "error_msg", "error_message", "error")
	if s.message == "" {
		s.message = e.String()
	}
	return s
}

// firstString returns the first member of v that is a string with something
// in it.
func firstString(v *fastjson.Value, keys ...string) string {
	for _, key := range keys {
		if b := v.GetStringBytes(key); len(b) > 0 {
			return string(b)
		}
	}
	return ""
}

// scalar returns a string or a number as text; "" for anything else.
func scalar(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	switch v.Type() {
	case fastjson.TypeString:
		return string(v.GetStringBytes())
	case fastjson.TypeNumber:
		return v.String()
	}
	return ""
}
