package prompt

import (
	"encoding/json"
	"slices"
	"strings"

	"tidemark/text"
)

// entry is one prompt of a file, with what the file says about it.
type entry struct {
	at        int    // where it begins
	group, id string // "": not said
	prompt    Prompt
}

// said is a prompt of one user message.
func said(what string) Prompt {
	return Prompt{Messages: []Message{{Role: "user", Text: what}}}
}

var (
	// textNames are what data sets call a prompt's text.
	textNames = []string{"prompt", "text", "content", "input"}
	// requestNames would change the request, were they its own; beside a
	// mere text they would be lost without a word.
	requestNames = []string{
		"instruction", "system", "tools", "tool_choice", "max_tokens", "max_completion_tokens",
		"temperature", "top_p", "stop", "response_format",
	}
	// planNames are members of a request body that the plan decides.
	planNames = []string{"model", "stream", "stream_options"}
)

// entry tells whether an object is a prompt, and no list of groups.
func (f fields) entry() bool {
	if m, ok := f.get("messages"); ok {
		items, err := itemsOf(m.value, m.at)
		return err == nil && !slices.ContainsFunc(items, func(item field) bool { return !hasRole(item) })
	}
	return slices.ContainsFunc(textNames, func(name string) bool {
		m, ok := f.get(name)
		return ok && m.value[0] == '"'
	})
}

func hasRole(item field) bool {
	members, err := fieldsOf(item.value, item.at)
	_, ok := members.get("role")
	return err == nil && ok
}

// entry reads one prompt: a string, an object with a text, or a request body.
func (l *loader) entry(f field, group string) error {
	e := entry{at: f.at, group: group}
	if f.value[0] == '"' {
		e.prompt = said(unquote(f.value))
		return l.addSaid(e)
	}
	members, err := fieldsOf(f.value, f.at)
	if err != nil {
		return l.shape(f, err)
	}
	if err := l.named(&e, members); err != nil {
		return err
	}
	from, err := l.source(f, members)
	if err != nil {
		return err
	}
	if from.name == "messages" {
		return l.body(e, from, members)
	}
	if from.value[0] != '"' {
		return l.shape(from, errShape)
	}
	for _, m := range members {
		if slices.Contains(requestNames, m.name) {
			return l.wrong(m.nameAt, text.Msg("prompt.lost", m.name, from.name), text.Msg("prompt.lost.hint"))
		}
	}
	e.prompt = said(unquote(from.value))
	return l.addSaid(e)
}

// named reads a prompt's group and id.
func (l *loader) named(e *entry, members fields) error {
	if m, ok := members.get("group"); ok && string(m.value) != "null" {
		if e.group = strings.TrimSpace(unquote(m.value)); e.group == "" {
			return l.wrong(m.at, text.Msg("prompt.group_name"), text.Msg("prompt.group_name.hint"))
		}
	}
	if m, ok := members.get("id"); ok && string(m.value) != "null" {
		e.id = unquote(m.value)
		if number := json.Number(""); json.Unmarshal(m.value, &number) == nil && m.value[0] != '"' {
			e.id = number.String()
		}
		if strings.TrimSpace(e.id) == "" {
			return l.wrong(m.at, text.Msg("prompt.id"), text.Msg("prompt.id.hint"))
		}
	}
	return nil
}

// source finds the one member that holds what is asked.
func (l *loader) source(f field, members fields) (field, error) {
	var found []field
	for _, m := range members {
		if m.name == "messages" || slices.Contains(textNames, m.name) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return field{}, l.shape(f, errShape)
	case 1:
		return found[0], nil
	}
	return field{}, l.wrong(found[1].nameAt, text.Msg("prompt.two_texts", found[0].name, found[1].name), text.Msg("prompt.two_texts.hint"))
}

// body reads a whole request body.
func (l *loader) body(e entry, messages field, members fields) error {
	items, err := itemsOf(messages.value, messages.at)
	if err != nil {
		return l.shape(messages, err)
	}
	empty := true
	for _, item := range items {
		m, err := l.message(item)
		if err != nil {
			return err
		}
		empty = empty && m.Raw == nil && strings.TrimSpace(m.Text) == ""
		e.prompt.Messages = append(e.prompt.Messages, m)
	}
	if empty {
		return l.wrong(messages.at, text.Msg("prompt.empty"), text.Msg("prompt.empty.hint"))
	}
	for _, m := range members {
		switch {
		case m.name == "messages" || m.name == "group" || m.name == "id" || slices.Contains(planNames, m.name):
		case m.name == "tools":
			if string(m.value) != "null" {
				e.prompt.Tools = m.value
			}
		default:
			if e.prompt.Extra == nil {
				e.prompt.Extra = map[string]json.RawMessage{}
			}
			e.prompt.Extra[m.name] = m.value
		}
	}
	return l.add(e)
}

// message reads one turn.
func (l *loader) message(item field) (Message, error) {
	members, err := fieldsOf(item.value, item.at)
	if err != nil {
		return Message{}, l.shape(item, err)
	}
	role, _ := members.get("role")
	m := Message{Role: unquote(role.value)}
	if m.Role == "" {
		return m, l.wrong(item.at, text.Msg("prompt.no_role"), text.Msg("prompt.no_role.hint"))
	}
	if content, ok := members.get("content"); ok && content.value[0] == '"' && len(members) == 2 {
		m.Text = unquote(content.value)
	} else {
		m.Raw = item.value
	}
	return m, nil
}

// addSaid adds a prompt of one text, unless there is nothing in it.
func (l *loader) addSaid(e entry) error {
	if strings.TrimSpace(e.prompt.Messages[0].Text) == "" {
		return l.wrong(e.at, text.Msg("prompt.empty"), text.Msg("prompt.empty.hint"))
	}
	return l.add(e)
}

// unquote returns what a JSON string says; "" for any other value.
func unquote(value json.RawMessage) string {
	var s string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}
