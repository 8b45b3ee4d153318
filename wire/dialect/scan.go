package dialect

// maxDepth bounds the nesting that a scanner follows. Real chunks stay below
// eight; the full decoder takes what lies deeper.
const maxDepth = 20

// scanner goes over the bytes of one JSON value once, builds nothing and
// changes nothing. It reads JSON as RFC 8259 has it, so that it never takes
// what a parser refuses; it may refuse what a parser takes. After the first
// refusal, refused is set and the rest reads as the end of the bytes: a caller
// asks once, at the end.
type scanner struct {
	b       []byte
	i       int // the next byte
	refused bool
}

func (s *scanner) refuse() {
	s.refused = true
	s.i = len(s.b)
}

// end reports whether all was read, and nothing refused.
func (s *scanner) end() bool {
	return s.peek() == 0 && s.i == len(s.b) && !s.refused
}

// peek skips white space and returns the next byte; 0 at the end.
func (s *scanner) peek() byte {
	if s.i < len(s.b) && s.b[s.i] > ' ' {
		return s.b[s.i]
	}
	return s.space()
}

// space is peek's rare part, apart so that the rest is inlined.
func (s *scanner) space() byte {
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case ' ', '\n', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

// open enters an object or an array and reports whether something is in it.
//
//	for more := s.open('{', '}'); more; more = s.more('}') {
func (s *scanner) open(bracket, closing byte) bool {
	if s.peek() != bracket {
		s.refuse()
		return false
	}
	s.i++
	if s.peek() == closing {
		s.i++
		return false
	}
	return true
}

// more follows each element: it takes a comma, or leaves by the bracket.
func (s *scanner) more(closing byte) bool {
	switch s.peek() {
	case ',':
		s.i++
		return true
	case closing:
		s.i++
		return false
	}
	s.refuse()
	return false
}

// key reads a member's name and its colon. A name with an escape is refused:
// it may be another spelling of a known one.
func (s *scanner) key() []byte {
	name, escaped := s.quoted()
	if escaped || s.peek() != ':' {
		s.refuse()
		return nil
	}
	s.i++
	return name
}

// quoted reads a string and returns what is between its quotes, as it stands.
func (s *scanner) quoted() (raw []byte, escaped bool) {
	if s.peek() != '"' {
		s.refuse()
		return nil, false
	}
	start := s.i + 1
	for i := start; ; {
		i = plain(s.b, i)
		if i < len(s.b) && s.b[i] == '"' {
			s.i = i + 1
			return s.b[start:i], escaped
		}
		n := escape(s.b[i:])
		if n == 0 { // a control character, a wrong escape, the end
			s.refuse()
			return nil, false
		}
		escaped = true
		i += n
	}
}

// text reads a string, or null, into a member that must not have been seen: of
// two with one name, parsers disagree on which counts.
func (s *scanner) text(member *[]byte) (escaped bool) {
	if *member != nil {
		s.refuse()
		return false
	}
	if s.peek() == 'n' {
		s.word("null")
		*member = []byte{}
		return false
	}
	*member, escaped = s.quoted()
	return escaped
}

// name reads a text that is compared as it stands, and so must hold no escape.
func (s *scanner) name(member *[]byte) {
	if s.text(member) {
		s.refuse()
	}
}

// skip goes over a value of any kind that nothing is wanted of.
func (s *scanner) skip(depth int) {
	if depth > maxDepth {
		s.refuse()
		return
	}
	switch s.peek() {
	case '"':
		s.quoted()
	case '{':
		for more := s.open('{', '}'); more; more = s.more('}') {
			s.key()
			s.skip(depth + 1)
		}
	case '[':
		for more := s.open('[', ']'); more; more = s.more(']') {
			s.skip(depth + 1)
		}
	case 'n':
		s.word("null")
	case 't':
		s.word("true")
	case 'f':
		s.word("false")
	default:
		s.number()
	}
}

// word reads one of JSON's bare words.
func (s *scanner) word(w string) {
	s.peek()
	if rest := s.b[s.i:]; len(rest) < len(w) || string(rest[:len(w)]) != w {
		s.refuse()
		return
	}
	s.i += len(w)
}

func (s *scanner) number() {
	s.take('-')
	whole := s.take('0') || s.digits()
	fraction := !s.take('.') || s.digits()
	exponent := true
	if s.take('e') || s.take('E') {
		_ = s.take('+') || s.take('-')
		exponent = s.digits()
	}
	if !whole || !fraction || !exponent {
		s.refuse()
	}
}

// take goes over the next byte where it is c.
func (s *scanner) take(c byte) bool {
	if s.i == len(s.b) || s.b[s.i] != c {
		return false
	}
	s.i++
	return true
}

// digits goes over digits and reports whether there was one.
func (s *scanner) digits() bool {
	start := s.i
	for s.i < len(s.b) && s.b[s.i]-'0' <= 9 {
		s.i++
	}
	return s.i > start
}
