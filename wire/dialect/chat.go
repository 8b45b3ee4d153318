package dialect

import (
	"bytes"
	"encoding/json"
	"net/http"

	"tidemark/load/prompt"
)

// chat is OpenAI's Chat Completions API and what the many servers that follow
// it make of it.
type chat struct{}

var _ Dialect = chat{}

func (chat) Name() string { return "chat" }

func (chat) Encode(r prompt.Request) (Call, error) {
	stream := r.Stream
	if own, given := r.Extra["stream"]; given {
		stream = string(bytes.TrimSpace(own)) == "true"
	}
	f := fields{extra: r.Extra}
	if r.Model != "" {
		f.put("model", r.Model)
	}
	f.put("messages", r.Messages)
	f.put("stream", stream)
	if stream {
		f.put("stream_options", includeUsage)
	}
	if r.MaxTokens > 0 {
		name := r.MaxTokensField
		if name == "" {
			name = "max_tokens"
		}
		f.put(name, r.MaxTokens)
	}
	if r.Temperature != nil {
		f.put("temperature", *r.Temperature)
	}
	if !isNull(r.Tools) {
		f.put("tools", r.Tools)
	}
	body, err := f.close()
	if err != nil {
		return Call{}, err
	}
	call := Call{Method: http.MethodPost, Path: "/chat/completions", Body: body, Framing: Whole, Header: wholeHeader}
	if stream {
		call.Framing, call.Header = SSE, streamHeader
	}
	return call, nil
}

// The headers of all requests alike; nobody writes to them.
var (
	wholeHeader  = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	streamHeader = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
)

// includeUsage asks a stream for the server's own count of tokens.
var includeUsage = json.RawMessage(`{"include_usage":true}`)

func (chat) NewDecoder() Decoder { return &chatDecoder{} }

func (chat) Error(status int, header http.Header, body []byte) Failure {
	return refused(status, header, body)
}
