package record

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// fill puts something into every field that a record's JSON has.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "n"))
	case reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.Float64Range(-1e9, 1e9), rapid.Just(30.0)).Draw(t, "f"))
	case reflect.String:
		v.SetString(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "<&>\u2028", "a\"b\\c\n"})).Draw(t, "s"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "b"))
	case reflect.Slice: // Packed
		v.SetBytes([]byte(Packed(nil).Append(rapid.Int64Range(0, 1e12).Draw(t, "gap"))))
	case reflect.Map:
		v.Set(reflect.ValueOf(rapid.MapOfN(rapid.String(), rapid.IntRange(1, 9), 1, 3).Draw(t, "warnings")))
	}
}

// The two ways to read an attempt agree, whatever it holds.
func TestAttemptsAreReadAsTheyWere(t *testing.T) {
	var reader attemptReader
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		var a, slow, quick Attempt
		fill(t, reflect.ValueOf(&a).Elem())
		line, err := json.Marshal(&a)
		if err != nil {
			t.Skip(err)
		}
		if err := json.Unmarshal(line, &slow); err != nil {
			t.Fatal(err)
		}
		if !reader.read(line, &quick) {
			return
		}
		taken++
		if d := cmp.Diff(slow, quick); d != "" {
			t.Fatalf("%s\n%s", d, line)
		}
	})
	if taken < 20 {
		t.Errorf("only %d were read the quick way", taken)
	}
}

// An attempt is written as encoding/json would.
func TestAttemptsAreWrittenAsTheyWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Attempt
		if rapid.Bool().Draw(t, "full") {
			fill(t, reflect.ValueOf(&a).Elem())
		}
		want, err := json.Marshal(&a)
		if err != nil {
			t.Skip(err)
		}
		if got := appendAttempt(nil, &a); string(got) != string(want) {
			t.Fatalf("%s\nnot %s", got, want)
		}
	})
}

// Every field of the JSON is known to the quick way.
func TestEveryFieldIsRead(t *testing.T) {
	var visit func(path string, typ reflect.Type, known func(string) bool)
	visit = func(path string, typ reflect.Type, known func(string) bool) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous:
				visit(path, f.Type, known)
			case !known(name):
				t.Errorf("%s%s is not read", path, name)
			}
		}
	}
	has := func(fields any) func(string) bool {
		return func(name string) bool { return reflect.ValueOf(fields).MapIndex(reflect.ValueOf(name)).IsValid() }
	}
	visit("", reflect.TypeFor[Attempt](), has(attemptFields))
	visit("tokens.", reflect.TypeFor[Tokens](), has(tokenFields))
	visit("tokens.input.", reflect.TypeFor[Count](), has(countFields))
	visit("frames.", reflect.TypeFor[Frames](), has(frameFields))
}

// What is odd is left to encoding/json, with its errors.
func TestOddAttempts(t *testing.T) {
	for _, line := range []string{
		`{"kind":"attempt","level":"1"}`, `{"kind":"attempt","level":1.5}`, `{"kind":"attempt","tokens":[]}`, `{"kind":"attempt"`,
		`{"kind":"attempt","warnings":{"a":"b"}}`, `{"kind":"attempt","gaps":"!"}`, `{"kind":"attempt","level":1e30}`, `{"kind":"attempt","reused":1}`,
	} {
		var reader attemptReader
		if reader.read([]byte(line), new(Attempt)) {
			t.Errorf("%s was read", line)
		}
		if _, err := decode([]byte(line), &reader); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
}

func FuzzAttempt(f *testing.F) {
	for _, r := range sampleRecords() {
		line, _ := json.Marshal(r)
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var reader attemptReader
		var slow, quick Attempt
		if !reader.read(line, &quick) {
			return
		}
		if json.Unmarshal(line, &slow) != nil {
			return // a file of nobody's: the quick way is not as strict
		}
		again, err := json.Marshal(&slow)
		if err != nil || string(again) != string(line) {
			return // not as a writer would have it
		}
		if d := cmp.Diff(slow, quick); d != "" {
			t.Fatalf("%s\n%s", d, line)
		}
	})
}

func BenchmarkWriteAttempt(b *testing.B) {
	a := &Attempt{Level: 1, Round: 1, Phase: Measured, Number: 7, Try: 1, Target: "sim", Workload: "default", Prompt: "default/7", Slot: 3, Conn: 3,
		Clocks:  Clocks{Dispatched: 1e9, Sent: 1e9 + 1, FirstOut: 2e9, LastOut: 3e9, End: 3e9 + 1},
		Outcome: "ok", Finish: "length", HTTPStatus: 200, Tokens: Tokens{Output: Count{N: 8, Source: FromUsage}},
		Gaps: Packed(nil).Append(1e6).Append(2e6).Append(1e6), Lags: Packed(nil).Append(1e4).Append(2e4), Stamps: "kernel"}
	b.ReportAllocs()
	var line []byte
	for b.Loop() {
		line = appendAttempt(line[:0], a)
	}
}

func BenchmarkReadAttempt(b *testing.B) {
	a := &Attempt{Level: 1, Round: 1, Phase: Measured, Number: 7, Try: 1, Target: "sim", Workload: "default", Prompt: "default/7", Slot: 3, Conn: 3,
		Clocks:  Clocks{Dispatched: 1e9, Sent: 1e9 + 1, FirstOut: 2e9, LastOut: 3e9, End: 3e9 + 1},
		Outcome: "ok", Finish: "length", HTTPStatus: 200, Tokens: Tokens{Output: Count{N: 8, Source: FromUsage}},
		Gaps: Packed(nil).Append(1e6).Append(2e6).Append(1e6), Lags: Packed(nil).Append(1e4).Append(2e4), Stamps: "kernel"}
	line, _ := json.Marshal(a)
	b.Run("quick", func(b *testing.B) {
		var reader attemptReader
		b.ReportAllocs()
		for b.Loop() {
			reader.read(line, new(Attempt))
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			json.Unmarshal(line, new(Attempt))
		}
	})
}
