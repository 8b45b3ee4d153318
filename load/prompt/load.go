package prompt

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"tidemark/text"
)

const (
	maxFile = 256 << 20 // bytes
	maxLine = 16 << 20  // bytes of one line of a .txt or .jsonl file
)

// Load reads a prompt file. A name that ends in .txt has a prompt a line; one
// in .jsonl or .ndjson a JSON value a line; one in .json a list, or an object
// of named lists; any other name is told by its content. Every error that it
// returns is a *text.Fault that names the place.
func Load(path string) (*Set, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	return parse(path, data)
}

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, unreadable(path, err)
	}
	if info.IsDir() {
		return nil, text.Wrong(text.Msg("prompt.directory", path), text.Msg("prompt.directory.hint"))
	}
	if info.Size() > maxFile {
		return nil, tooLarge(path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	if len(data) > maxFile {
		return nil, tooLarge(path)
	}
	return data, nil
}

func unreadable(path string, err error) *text.Fault {
	if errors.Is(err, fs.ErrNotExist) {
		return &text.Fault{What: text.Msg("prompt.missing", path), Hint: text.Msg("prompt.missing.hint"), Err: err}
	}
	cause := err
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		cause = p.Err // the path is in the sentence already
	}
	return &text.Fault{What: text.Msg("prompt.unreadable", path, cause.Error()), Hint: text.Msg("prompt.unreadable.hint"), Err: err}
}

func tooLarge(path string) *text.Fault {
	return text.Wrong(text.Msg("prompt.too_large", path, maxFile>>20), text.Msg("prompt.too_large.hint"))
}

// parse reads what a file of that name holds.
func parse(path string, data []byte) (*Set, error) {
	bom := []byte("\ufeff")
	l := loader{path: path, data: bytes.TrimPrefix(data, bom), groups: map[string]int{}, ids: map[string]bool{}}
	l.set.Source = path
	if len(bytes.TrimSpace(l.data)) == 0 {
		return nil, text.Wrong(text.Msg("prompt.empty_file", path), text.Msg("prompt.shapes"))
	}
	l.kind = l.format()
	if at := invalidUTF8(l.data); at >= 0 {
		return nil, l.wrong(at, text.Msg("prompt.not_utf8"), text.Msg("prompt.not_utf8.hint"))
	}
	var err error
	switch l.kind {
	case ".txt":
		err = l.lines(l.plain)
	case ".jsonl":
		err = l.lines(l.value)
	default:
		err = l.whole()
	}
	if err != nil {
		return nil, err
	}
	if len(l.set.Groups) == 0 {
		return nil, text.Wrong(text.Msg("prompt.no_prompt", path), text.Msg("prompt.shapes"))
	}
	return &l.set, nil
}

// loader is a file being read.
type loader struct {
	path   string
	data   []byte
	kind   string // format's answer
	set    Set
	groups map[string]int // index in set.Groups by name
	ids    map[string]bool
}

// format tells how the file is to be read, by its name or else its content.
func (l *loader) format() string {
	switch ext := strings.ToLower(filepath.Ext(l.path)); ext {
	case ".txt", ".jsonl", ".json":
		return ext
	case ".ndjson":
		return ".jsonl"
	}
	content := bytes.TrimSpace(l.data)
	first, _, _ := bytes.Cut(content, []byte("\n"))
	switch {
	case !bytes.ContainsRune([]byte(`{["`), rune(content[0])):
		return ".txt"
	case json.Valid(content):
		return ".json"
	case json.Valid(first):
		return ".jsonl"
	case content[0] == '{':
		return ".json" // broken, and its reader says where
	}
	return ".txt"
}

// lines hands each line that isn't blank to add, with where it begins.
func (l *loader) lines(add func(line []byte, at int) error) error {
	for at := 0; at < len(l.data); {
		end := len(l.data)
		if n := bytes.IndexByte(l.data[at:], '\n'); n >= 0 {
			end = at + n
		}
		if end-at > maxLine {
			return l.wrong(at, text.Msg("prompt.line_too_long", maxLine>>20), text.Msg("prompt.line_too_long.hint"))
		}
		line := bytes.TrimLeft(l.data[at:end], " \t\r")
		start := end - len(line)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := add(line, start); err != nil {
				return err
			}
		}
		at = end + 1
	}
	return nil
}

func (l *loader) plain(line []byte, at int) error {
	return l.add(entry{at: at, prompt: said(string(line))})
}

func (l *loader) value(line []byte, at int) error {
	if err := l.valid(line, at); err != nil {
		return err
	}
	return l.entry(field{value: line, at: at}, "")
}

// whole reads a file that is one JSON value.
func (l *loader) whole() error {
	if err := l.valid(l.data, 0); err != nil {
		return err
	}
	start := len(l.data) - len(bytes.TrimLeft(l.data, " \t\r\n"))
	root := field{value: l.data[start:], at: start}
	if root.value[0] == '[' {
		return l.list(root, "")
	}
	members, err := fieldsOf(root.value, root.at)
	if err != nil {
		return l.shape(root, err)
	}
	if members.entry() {
		return l.entry(root, "")
	}
	if prompts, ok := members.get("prompts"); ok && prompts.value[0] == '[' && len(members) == 1 {
		return l.list(prompts, "")
	}
	for _, group := range members {
		if group.value[0] != '[' {
			return l.shape(group, errShape)
		}
		if strings.TrimSpace(group.name) == "" {
			return l.wrong(group.nameAt, text.Msg("prompt.group_name"), text.Msg("prompt.group_name.hint"))
		}
		if err := l.list(group, group.name); err != nil {
			return err
		}
	}
	return nil
}

// list reads prompts of one group; "" is the file's only one.
func (l *loader) list(list field, group string) error {
	items, err := itemsOf(list.value, list.at)
	if err != nil {
		return l.shape(list, err)
	}
	if len(items) == 0 && group != "" {
		return l.wrong(list.at, text.Msg("prompt.empty_group", group), text.Msg("prompt.empty_group.hint"))
	}
	for _, item := range items {
		if err := l.entry(item, group); err != nil {
			return err
		}
	}
	return nil
}

// add puts a prompt into its group, and gives it its id.
func (l *loader) add(e entry) error {
	name := e.group
	if name == "" {
		name = "default"
	}
	i, ok := l.groups[name]
	if !ok {
		i = len(l.set.Groups)
		l.groups[name] = i
		l.set.Groups = append(l.set.Groups, Group{Name: name})
	}
	g := &l.set.Groups[i]
	if e.id == "" {
		e.id = strconv.Itoa(len(g.Prompts) + 1)
	}
	e.prompt.ID = name + "/" + e.id
	if l.ids[e.prompt.ID] {
		return l.wrong(e.at, text.Msg("prompt.id_twice", e.id, name), text.Msg("prompt.id_twice.hint"))
	}
	l.ids[e.prompt.ID] = true
	g.Prompts = append(g.Prompts, e.prompt)
	return nil
}

// valid refuses what is no JSON.
func (l *loader) valid(value []byte, at int) error {
	off, why, bad := syntax(value)
	if !bad {
		return nil
	}
	hint := text.Msg("prompt.bad_json.hint")
	if l.kind == ".json" && json.Valid(firstLine(value)) {
		hint = text.Msg("prompt.bad_json.lines_hint")
	}
	return l.wrong(at+off, text.Msg("prompt.bad_json", why), hint)
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	return line
}

// shape refuses a value that is none of the known shapes; err is what
// fieldsOf or itemsOf said.
func (l *loader) shape(f field, err error) error {
	if t := (twice{}); errors.As(err, &t) {
		return l.wrong(t.nameAt, text.Msg("prompt.key_twice", t.name), text.Msg("prompt.key_twice.hint"))
	}
	return l.wrong(f.at, text.Msg("prompt.unknown_shape"), text.Msg("prompt.shapes"))
}

// wrong names the place of a fault: file and line, and the column where a
// line is more than one prompt's text.
func (l *loader) wrong(at int, what, hint text.Message) *text.Fault {
	before := l.data[:min(at, len(l.data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	where := l.path + ":" + strconv.Itoa(line)
	if l.kind != ".txt" {
		column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
		where += ":" + strconv.Itoa(column)
	}
	return text.Wrong(text.Msg("prompt.at", where, what), hint)
}

// invalidUTF8 returns where the first byte that is no text stands; -1: none.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for at := 0; at < len(b); {
		r, size := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}
