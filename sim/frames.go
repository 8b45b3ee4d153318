package sim

import "strconv"

// frames makes the bytes of one streamed answer. What is the same in all its
// chunks is made once.
type frames struct {
	open   []byte // up to the choices, their bracket not included
	buf    []byte // the content frame under way: open, then what changes
	prefix int    // of buf that never changes
}

const (
	contentOpen  = `"choices":[{"index":0,"delta":{"content":"`
	contentClose = `"},"finish_reason":null}]}` + "\n\n"
	done         = "data: [DONE]\n\n"
)

// Fingerprint is the system_fingerprint of every answer, by which a client can
// tell that it was simulated.
const Fingerprint = "fp_tidemark_sim"

func newFrames(id, model string, created int64) *frames {
	f := &frames{}
	f.open = append(f.open, `data: {"id":`...)
	f.open = append(f.open, mustJSON(id)...)
	f.open = append(f.open, `,"object":"chat.completion.chunk","created":`...)
	f.open = strconv.AppendInt(f.open, created, 10)
	f.open = append(f.open, `,"model":`...)
	f.open = append(f.open, mustJSON(model)...)
	f.open = append(f.open, `,"system_fingerprint":"`+Fingerprint+`",`...)
	f.buf = append(append(f.buf, f.open...), contentOpen...)
	f.prefix = len(f.buf)
	return f
}

// content is valid until the next call.
func (f *frames) content(word string) []byte {
	f.buf = append(append(f.buf[:f.prefix], word...), contentClose...)
	return f.buf
}

func (f *frames) role() []byte {
	return f.chunk(`"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`)
}

func (f *frames) finish(reason string) []byte {
	return f.chunk(`"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`)
}

func (f *frames) usage(prompt, output int) []byte {
	return f.chunk(`"choices":[],"usage":` + usage(prompt, output) + `}`)
}

func (f *frames) chunk(rest string) []byte {
	b := make([]byte, 0, len(f.open)+len(rest)+2)
	return append(append(append(b, f.open...), rest...), "\n\n"...)
}

func usage(prompt, output int) string {
	return `{"prompt_tokens":` + strconv.Itoa(prompt) + `,"completion_tokens":` + strconv.Itoa(output) +
		`,"total_tokens":` + strconv.Itoa(prompt+output) + `}`
}

// wholeBody is an answer that is not streamed; usage is left out where it is
// "", finish is null where it is "".
func wholeBody(id, model string, created int64, words, finish, usage string) []byte {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	b := append([]byte(`{"id":`), mustJSON(id)...)
	b = append(b, `,"object":"chat.completion","created":`...)
	b = strconv.AppendInt(b, created, 10)
	b = append(b, `,"model":`...)
	b = append(b, mustJSON(model)...)
	b = append(b, `,"system_fingerprint":"`+Fingerprint+`","choices":[{"index":0,"message":{"role":"assistant","content":`...)
	b = append(b, mustJSON(words)...)
	b = append(b, `},"logprobs":null,"finish_reason":`+reason+`}]`...)
	if usage != "" {
		b = append(b, `,"usage":`+usage...)
	}
	return append(b, '}')
}

const htmlPage = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Please sign in to go on.</p></body></html>\n"

// errorFrame is what an engine that dies inside of a stream leaves.
const errorFrame = `data: {"error":{"message":"The engine stopped.","type":"server_error","param":null,"code":500}}` + "\n\n" + done
