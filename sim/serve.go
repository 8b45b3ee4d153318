package sim

import (
	"context"
	"crypto/subtle"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ServeHTTP answers one request. Under another server than [Server.Serve]'s a
// request's arrival is the moment this is called.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		panic(http.ErrAbortHandler)
	}
	defer s.working.Done()
	switch {
	case r.URL.Path == "/sim/truth":
		s.serveTruth(w, r)
	case len(s.config.Transcripts) > 0 && r.Method == http.MethodPost:
		s.play(w, r)
	case r.URL.Path == "/v1/models":
		s.models(w, r)
	case r.URL.Path == "/v1/chat/completions":
		s.chat(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	if !allowed(w, r, http.MethodGet) {
		return
	}
	if !s.hasKey(r) {
		wrongKey().send(w)
		return
	}
	type model struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	var list []model
	for _, name := range s.config.Models {
		list = append(list, model{name, "model", s.started.Unix(), "tidemark"})
	}
	sendJSON(w, http.StatusOK, mustJSON(map[string]any{"object": "list", "data": list}))
}

func (s *Server) serveTruth(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		s.ResetTruth()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if !allowed(w, r, http.MethodGet) {
		return
	}
	var since int64
	if v := r.URL.Query().Get("since"); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			invalid("since", "since must be the number of a request.").send(w)
			return
		}
		since = n
	}
	sendJSON(w, http.StatusOK, mustJSON(s.Truth(since)))
}

func allowed(w http.ResponseWriter, r *http.Request, method string) bool {
	if r.Method == method {
		return true
	}
	w.Header().Set("Allow", method)
	bad := invalid("", "Not allowed to "+r.Method+" here.")
	bad.status = http.StatusMethodNotAllowed
	bad.send(w)
	return false
}

func (s *Server) hasKey(r *http.Request) bool {
	if s.config.APIKey == "" {
		return true
	}
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(key), []byte(s.config.APIKey)) == 1
}

// chat answers one chat completion.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	if !allowed(w, r, http.MethodPost) {
		return
	}
	a := s.newAnswer(w, r)
	defer a.done()
	bad := a.understand(r)
	if bad == nil {
		bad = a.join()
	}
	w.Header().Set("X-Request-Id", a.id())
	if bad != nil {
		a.row.Status = bad.status
		bad.send(w)
		return
	}
	defer a.pace.leave()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	a.row.Status = http.StatusOK
	if a.chat.Stream {
		a.stream(ctx)
	} else {
		a.whole(ctx)
	}
	if ctx.Err() != nil && !a.handedOver {
		panic(http.ErrAbortHandler) // or the body would get a proper end
	}
}

// understand reads the request and finds what it will meet.
func (a *answer) understand(r *http.Request) (bad *refusal) {
	s := a.server
	if !s.hasKey(r) {
		return wrongKey()
	}
	a.chat, bad = s.readChat(a.w, r)
	if a.conn != nil {
		a.arrived = a.conn.arrival()
	}
	if bad != nil {
		return bad
	}
	a.row.Streamed = a.chat.Stream
	a.row.PromptTokens = a.chat.prompt
	a.fault, bad = s.choose(r, a.chat.Model, a.row.Number)
	a.row.Fault = a.fault.Kind
	if bad == nil {
		bad = a.fault.refusal(a.chat.Model)
	}
	if bad == nil && !s.serves(a.chat.Model) && !strings.HasPrefix(a.chat.Model, faultModel) {
		bad = noModel(a.chat.Model)
	}
	return bad
}

// join settles how long the answer will be and takes a place.
func (a *answer) join() *refusal {
	s := a.server
	a.tokens, a.finish = s.length(a.chat, a.row.Number)
	a.strike = min(a.fault.After, a.tokens-1)
	held := a.fault.Kind == RoleWait
	if s.engine == nil {
		a.pace = s.config.Schedule.from(a.arrived, held)
		return nil
	}
	t := s.engine.join(a.chat.prompt, a.tokens, held)
	if t == nil {
		return overloaded()
	}
	a.pace = t
	return nil
}

// play plays the next transcript to a request, and the ones after it to
// those that follow on the connection where a transcript leaves it usable.
func (s *Server) play(w http.ResponseWriter, r *http.Request) {
	_, bad := readBody(w, r)
	if bad != nil {
		bad.send(w)
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // a writer that can't be taken over
	}
	defer conn.Close()
	defer context.AfterFunc(s.ctx, func() { _ = conn.Close() })()
	for {
		t := s.config.Transcripts[(s.played.Add(1)-1)%uint64(len(s.config.Transcripts))]
		if t.Play(s.ctx, conn) != nil {
			return
		}
		if s.ctx.Err() != nil || conn.SetReadDeadline(time.Now().Add(idleLimit)) != nil {
			return
		}
		if !t.KeepsAlive() {
			// It stays open, silent, until the client goes.
			_, _ = io.Copy(io.Discard, buffered)
			return
		}
		next, err := http.ReadRequest(buffered.Reader)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, io.LimitReader(next.Body, mostBody)); err != nil {
			return
		}
	}
}
