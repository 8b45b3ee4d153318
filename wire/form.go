package wire

import (
	"bytes"
	"strings"

	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

// formOf decides how an answer is framed, by what was asked for, by its
// content type and, above all, by the first mark of its body: servers put
// JSON into event streams and pages into anything.
func formOf(asked dialect.Framing, contentType string, p []byte) (dialect.Framing, error) {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	mark := firstMark(p)
	json := mark == '{' || mark == '['
	events := media == "text/event-stream" && !json
	switch {
	case mark == '<':
		return 0, refuse(outcome.NotAnAPIResponse, "the body is no API's")
	case asked == dialect.Whole && events:
		return 0, refuse(outcome.WrongProtocol, "an event stream came, and none was asked for")
	case asked == dialect.SSE && json && lines[media]:
		return 0, refuse(outcome.WrongProtocol, "JSON lines came where an event stream was asked for")
	case asked == dialect.NDJSON && (events || mark == 'd' || mark == 'e' || mark == ':'):
		return 0, refuse(outcome.WrongProtocol, "an event stream came where JSON lines were asked for")
	case asked == dialect.NDJSON && !json:
		return 0, refuse(outcome.NotAnAPIResponse, "the body is no API's")
	case asked == dialect.SSE && json, asked == dialect.NDJSON && media == "application/json":
		return dialect.Whole, nil
	}
	return asked, nil
}

// lines are the media types of JSON lines.
var lines = map[string]bool{
	"application/x-ndjson": true, "application/ndjson": true, "application/jsonl": true, "application/stream+json": true,
}

// firstMark is the first character that is no white space; 0: there is none.
func firstMark(p []byte) byte {
	p = bytes.TrimLeft(bytes.TrimPrefix(p, bom), " \t\r\n")
	if len(p) == 0 {
		return 0
	}
	return p[0]
}
