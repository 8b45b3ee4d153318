package main

import (
	"encoding/json"
	"flag"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tidemark/sim"
)

var update = flag.Bool("update", false, "rewrite what the scripts expect")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tidemark": func() { os.Exit(program()) }})
}

// plantedKey is a key that no output may hold.
const plantedKey = "sk-planted-4242424242424242"

// Each script finds a simulated endpoint at $URL (its base, with /v1) and at
// $ROOT (without), one that wants the key $PLANTED at $KEYED, a page that is
// no API at $PAGE, and one that refuses all by repeating what it was sent at
// $ECHO.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			open := serve(env, sim.Config{Schedule: &sim.Schedule{TTFT: 5 * time.Millisecond, ITL: time.Millisecond}})
			keyed := serve(env, sim.Config{
				APIKey:   plantedKey,
				Schedule: &sim.Schedule{TTFT: 5 * time.Millisecond, ITL: time.Millisecond},
			})
			env.Vars = append(env.Vars,
				"URL=http://"+open+"/v1", "ROOT=http://"+open, "KEYED=http://"+keyed+"/v1",
				"PAGE=http://"+serveHTTP(env, page), "ECHO=http://"+serveHTTP(env, echo)+"/v1", "PLANTED="+plantedKey,
				"XDG_DATA_HOME="+filepath.Join(env.WorkDir, "data"), "LANG=en_US.UTF-8", "CI=true")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"nowhere":  nowhere,
			"truncate": truncate,
		},
	})
}

// serve starts a simulated endpoint for the length of a script.
func serve(env *testscript.Env, c sim.Config) (addr string) {
	l, err := sim.Listen("127.0.0.1:0", false)
	if err != nil {
		env.T().Fatal(err)
	}
	s, err := sim.New(c)
	if err != nil {
		env.T().Fatal(err)
	}
	go s.Serve(l)
	env.Defer(func() { s.Close() })
	return l.Addr().String()
}

// page is a web page, whatever it is asked.
func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Write([]byte("<!doctype html><title>Welcome</title><h1>It works</h1>"))
}

// echo refuses every request with what it was sent, as it was and in lower case.
func echo(w http.ResponseWriter, r *http.Request) {
	said := r.Header.Get("Authorization") + " " + r.URL.String()
	body, _ := json.Marshal(map[string]any{"error": map[string]string{"message": said, "code": strings.ToLower(said)}})
	w.Header().Set("X-Request-Id", said)
	w.WriteHeader(http.StatusUnauthorized)
	w.Write(body)
}

// serveHTTP answers with a handler for the length of a script.
func serveHTTP(env *testscript.Env, h http.HandlerFunc) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		env.T().Fatal(err)
	}
	s := &http.Server{Handler: h}
	go s.Serve(l)
	env.Defer(func() { s.Close() })
	return l.Addr().String()
}

// exits runs a command and holds its exit code, or one of several: exits 0|3
// tidemark selftest …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		_, code, _ = strings.Cut(err.Error(), "exit status ")
	}
	if !slices.Contains(strings.Split(args[0], "|"), code) {
		ts.Fatalf("exit code %q, not %s", code, args[0])
	}
}

// nowhere holds that a text is in no file below the script's directory and
// in nothing that was printed last: nowhere TEXT
func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nowhere TEXT")
	}
	for _, out := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(out), args[0]) {
			ts.Fatalf("%s holds it", out)
		}
	}
	err := filepath.WalkDir(ts.Getenv("WORK"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "secret") {
			return err
		}
		body, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(body), args[0]) {
			ts.Fatalf("%s holds it", path)
		}
		return err
	})
	ts.Check(err)
}

// truncate cuts a file to a share of its length: truncate FILE
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	info, err := os.Stat(path)
	ts.Check(err)
	ts.Check(os.Truncate(path, info.Size()*2/3))
}
