package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"tidemark/load/token"
)

// chat is the body of a chat completion request, as far as it matters here.
type chat struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Stream        bool `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           *int `json:"max_tokens"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	N                   *int `json:"n"`
	IgnoreEOS           bool `json:"ignore_eos"`

	prompt  int // tokens
	chinese bool
	limit   int // tokens of the answer
}

// readChat reads and judges the body of a request.
func (s *Server) readChat(w http.ResponseWriter, r *http.Request) (*chat, *refusal) {
	body, bad := readBody(w, r)
	if bad != nil {
		return nil, bad
	}
	var c chat
	if err := json.Unmarshal(body, &c); err != nil {
		return nil, invalid("", "We could not parse the JSON body of your request: "+err.Error())
	}
	if err := c.readMessages(); err != nil {
		return nil, invalid("messages", err.Error())
	}
	if c.N != nil && *c.N != 1 {
		return nil, invalid("n", "Only n=1 is supported.")
	}
	return &c, s.limit(&c)
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	control := http.NewResponseController(w)
	// A writer that knows no deadlines is not ours to bound.
	_ = control.SetReadDeadline(time.Now().Add(bodyLimit))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	_ = control.SetReadDeadline(time.Time{})
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		bad := invalid("", fmt.Sprintf("The request body is larger than %d bytes.", mostBody))
		bad.status = http.StatusRequestEntityTooLarge
		return nil, bad
	}
	if err != nil {
		return nil, invalid("", "The request body could not be read.")
	}
	return body, nil
}

// readMessages counts the prompt: [token.Estimate] of every text, and 4
// tokens a message for its frame.
func (c *chat) readMessages() error {
	if len(c.Messages) == 0 {
		return errors.New("messages: at least one is needed")
	}
	for i, m := range c.Messages {
		if m.Role == "" {
			return fmt.Errorf("messages[%d].role: missing", i)
		}
		words, err := content(m.Content)
		if err != nil {
			return fmt.Errorf("messages[%d].content: %w", i, err)
		}
		c.prompt += 4 + token.Estimate(words)
		c.chinese = c.chinese || strings.ContainsFunc(words, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	return nil
}

// content is the text of a message: a string, a list of parts, or null.
func content(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var words string
	if json.Unmarshal(raw, &words) == nil {
		return words, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", errors.New("neither a string nor a list of parts")
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String(), nil
}

// limit sets how long the answer may be. Of the two names for it the newer
// wins.
func (s *Server) limit(c *chat) *refusal {
	c.limit = s.config.MaxTokens
	name, n := "max_completion_tokens", c.MaxCompletionTokens
	if n == nil {
		name, n = "max_tokens", c.MaxTokens
	}
	if n != nil && *n < 1 {
		return invalid(name, fmt.Sprintf("%s must be at least 1, got %d.", name, *n))
	}
	if n != nil {
		c.limit = *n
	}
	if c.limit > mostTokens || s.engine != nil && !s.engine.fits(c.prompt, c.limit) {
		bad := invalid("messages", fmt.Sprintf(
			"The context is too long: %d prompt tokens and %d for the answer.", c.prompt, c.limit))
		bad.code = "context_length_exceeded"
		return bad
	}
	return nil
}

// length is how many tokens the answer to request number will have, and why
// it ends there.
func (s *Server) length(c *chat, number int64) (tokens int, finish string) {
	l := s.config.Lengths
	if l == (Lengths{}) || c.IgnoreEOS {
		return c.limit, "length"
	}
	n := l.Least + int(s.draw(number, drawLength)*float64(l.Most-l.Least+1))
	if n < c.limit {
		return n, "stop"
	}
	return c.limit, "length"
}

func (s *Server) serves(model string) bool { return slices.Contains(s.config.Models, model) }

// What is drawn for a request, each from its own sequence; drawFault is the
// first of as many as there are faults.
const (
	drawLength uint64 = iota
	drawWords
	drawFault
)

// draw returns a number in [0, 1) that depends on the seed, the request's
// number and what it is for, and on nothing else: whoever runs the same
// requests again meets the same faults.
func (s *Server) draw(number int64, what uint64) float64 {
	x := mix(mix(s.config.Seed^0x7469_6465_6d61_726b) + uint64(number))
	return float64(mix(x+what)>>11) / (1 << 53)
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
