package render

import (
	"errors"
	"io"

	"tidemark/text"
)

// Fault writes an error for a person: a line that says what is wrong and,
// where it is known, one that says what to do. Lines are not broken, so that
// they can be searched for. A nil error is nothing.
func Fault(w io.Writer, err error, o Options) {
	if err == nil {
		return
	}
	p := newPage(o)
	what, hint := err.Error(), ""
	var f *text.Fault
	if errors.As(err, &f) {
		what, hint = f.What.In(p.Lang), f.Hint.In(p.Lang)
	}
	out := p.color(red, p.Say("show.error")) + oneLine(what) + "\n"
	if hint != "" {
		out += "  " + p.color(faint, p.Say("show.hint")) + oneLine(hint) + "\n"
	}
	// Where an error can't be told there is nowhere to tell that.
	_, _ = io.WriteString(w, out)
}
