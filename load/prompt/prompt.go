// Package prompt answers what is asked: prompt sets from files and the
// built-in one, the order they are asked in, and the front that makes each
// unique. It knows no API's words but those of OpenAI-shaped
// prompt files, no network and no clock.
package prompt

import "encoding/json"

// Request is one thing to ask, complete, in no API's words. A dialect turns
// it into bytes.
type Request struct {
	Model          string
	Messages       []Message       // system first where there is one
	Tools          json.RawMessage // as the prompt file gave them; nil: none
	Stream         bool
	MaxTokens      int                        // 0: not sent
	MaxTokensField string                     // the name the endpoint wants; "": the dialect's own
	Temperature    *float64                   // nil: not sent
	Extra          map[string]json.RawMessage // further body fields; they win over the dialect's own
}

// Message is one turn of a conversation.
type Message struct {
	Role string
	Text string
	// Raw is the whole message as an OpenAI-shaped prompt file gave it, where
	// it holds more than a role and a text (content parts, tool calls); Role is
	// set beside it and Text is empty. Nil otherwise.
	Raw json.RawMessage
}

// Prompt is one entry of a set.
type Prompt struct {
	ID       string // "group/7": unique in its set, the same in every run
	Messages []Message
	Tools    json.RawMessage
	Extra    map[string]json.RawMessage // of a whole request body: what is neither messages, tools, model nor stream
}

// Group is prompts whose results stand in rows of their own.
type Group struct {
	Name    string // "default" where the file names none
	Prompts []Prompt
}

// Set is what a file, or the built-in list, holds. No group is empty.
type Set struct {
	Source string // the file's path, or "built-in"
	Groups []Group
}
