package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"tidemark/report"
)

// JSON writes the report as docs/OUTPUT.md has it, indented.
func JSON(w io.Writer, r *report.Report) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(escapeControls(b.Bytes()))
	return err
}

// escapeControls escapes what a terminal would act on and JSON lets pass: the
// delete character, C1 controls, and marks that turn the direction of
// writing. In JSON such a character can only be inside of a string.
func escapeControls(doc []byte) []byte {
	acts := func(r rune) bool { return r >= 0x7f && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
	if bytes.IndexFunc(doc, acts) < 0 {
		return doc
	}
	var out []byte
	for len(doc) > 0 {
		r, n := utf8.DecodeRune(doc)
		if acts(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, doc[:n]...)
		}
		doc = doc[n:]
	}
	return out
}
