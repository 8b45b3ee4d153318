package sim

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// refusal is an answer in OpenAI's error shape.
type refusal struct {
	status     int
	kind       string // "type" of the error
	code       string // "": null
	param      string // "": null
	message    string
	retryAfter int // seconds; 0: not said
}

func invalid(param, message string) *refusal {
	return &refusal{status: http.StatusBadRequest, kind: "invalid_request_error", param: param, message: message}
}

func overloaded() *refusal {
	return &refusal{status: http.StatusServiceUnavailable, kind: "server_error", code: "overloaded",
		message: "The server is overloaded, please try again later."}
}

func wrongKey() *refusal {
	return &refusal{status: http.StatusUnauthorized, kind: "invalid_request_error", code: "invalid_api_key",
		message: "Incorrect API key provided."}
}

func noModel(name string) *refusal {
	return &refusal{status: http.StatusNotFound, kind: "invalid_request_error", code: "model_not_found", param: "model",
		message: "The model " + strconv.Quote(name) + " does not exist."}
}

func (r *refusal) body() []byte {
	type inner struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	return mustJSON(map[string]inner{"error": {r.message, r.kind, orNull(r.param), orNull(r.code)}})
}

func (r *refusal) send(w http.ResponseWriter) {
	if r.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(r.retryAfter))
	}
	sendJSON(w, r.status, r.body())
}

// sendJSON ignores what the write says: a client that left needs no answer.
func sendJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// mustJSON encodes what consists of strings and finite numbers only, which
// always have an encoding.
func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("sim: " + err.Error())
	}
	return b
}
