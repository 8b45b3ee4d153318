package dialect

// chunk is what an ordinary chunk says: one choice, text at most. Its slices
// lie in the frame's bytes, escapes and all: nil where the member is missing,
// empty where it is null.
type chunk struct {
	id, model, fingerprint    []byte
	finish                    []byte
	content, refusal          []byte
	reasoning, otherReasoning []byte
	choices, delta            bool // seen
}

// ordinary reads the frame that makes up nearly all of a stream without
// building a tree. It gives the very observation that the full decoder would
// give, or reports false and leaves all as it was: whatever is unusual, and
// whatever is wrong, is the full decoder's to judge.
func (d *chatDecoder) ordinary(f Frame, o *Observation) bool {
	if len(f.Error) > 0 || string(f.Event) == "error" {
		return false
	}
	s := scanner{b: f.Data}
	var c chunk
	c.read(&s)
	if !s.end() || !c.delta || len(c.finish) > 0 {
		return false
	}
	return d.tell(&c, o)
}

// tell puts c into o, all of it or nothing.
func (d *chatDecoder) tell(c *chunk, o *Observation) bool {
	thought := c.reasoning
	if len(thought) == 0 {
		thought = c.otherReasoning
	}
	answer, ok := unescape(o.Answer, c.content)
	reasoning, ok2 := unescape(o.Reasoning, thought)
	refusal, ok3 := unescape(o.Refusal, c.refusal)
	if !ok || !ok2 || !ok3 {
		return false
	}
	o.Answer, o.Reasoning, o.Refusal = answer, reasoning, refusal
	o.ID = remember(&d.id, c.id)
	o.Model = remember(&d.model, c.model)
	o.Fingerprint = remember(&d.fingerprint, c.fingerprint)
	d.spoke = d.spoke || o.Output()
	return true
}

// read reads the chunk. Members that the full decoder looks at and that an
// ordinary chunk has no use for must be null.
func (c *chunk) read(s *scanner) {
	for more := s.open('{', '}'); more; more = s.more('}') {
		switch string(s.key()) {
		case "id":
			s.name(&c.id)
		case "model":
			s.name(&c.model)
		case "system_fingerprint":
			s.name(&c.fingerprint)
		case "choices":
			c.readChoices(s)
		case "error", "usage", "x_groq":
			s.word("null")
		default:
			s.skip(1)
		}
	}
}

// readChoices reads the only choice of the only array of choices.
func (c *chunk) readChoices(s *scanner) {
	if c.choices || !s.open('[', ']') {
		s.refuse()
		return
	}
	c.choices = true
	for more := s.open('{', '}'); more; more = s.more('}') {
		switch string(s.key()) {
		case "delta":
			c.readDelta(s)
		case "finish_reason":
			s.text(&c.finish)
		case "error", "usage":
			s.word("null")
		default:
			s.skip(1)
		}
	}
	if s.more(']') {
		s.refuse()
	}
}

func (c *chunk) readDelta(s *scanner) {
	if c.delta {
		s.refuse()
		return
	}
	c.delta = true
	for more := s.open('{', '}'); more; more = s.more('}') {
		switch string(s.key()) {
		case "content":
			s.text(&c.content)
		case "reasoning_content":
			s.text(&c.reasoning)
		case "reasoning":
			s.text(&c.otherReasoning)
		case "refusal":
			s.text(&c.refusal)
		case "tool_calls", "function_call":
			s.word("null")
		default:
			s.skip(1)
		}
	}
}
