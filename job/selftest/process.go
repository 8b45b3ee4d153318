package selftest

import (
	"bytes"
	"context"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"tidemark/text"
)

const (
	// startLimit bounds the wait for an endpoint's address.
	startLimit = 10 * time.Second
	// saidLimit bounds what is kept of what it says, in bytes.
	saidLimit = 4 << 10
)

// addressed finds the base of the API in the line that an endpoint prints.
var addressed = regexp.MustCompile(`http://[^\s/]+/v1`)

// start runs a command that serves a simulated endpoint, until Close.
func start(ctx context.Context, command []string) (*Endpoint, error) {
	if len(command) == 0 {
		return nil, text.Wrong(text.Msg("selftest.start", "", exec.ErrNotFound.Error()), text.Msg("selftest.start.hint"))
	}
	ctx, cancel := context.WithCancel(ctx)
	process := exec.CommandContext(ctx, command[0], command[1:]...) // killed when ctx ends: it holds nothing
	process.WaitDelay = time.Second
	line, complaints := &firstLine{said: make(chan string, 1)}, &beginning{}
	process.Stdout, process.Stderr = line, complaints
	if err := process.Start(); err != nil {
		defer cancel()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, text.Wrong(text.Msg("selftest.start", command[0], err.Error()), text.Msg("selftest.start.hint"))
	}
	ended := make(chan struct{})
	go func() {
		_ = process.Wait() // how it ends is said by what it printed
		close(ended)
	}()
	end := &Endpoint{Close: func() { cancel(); <-ended }}
	late := time.NewTimer(startLimit)
	defer late.Stop()
	said := ""
	select {
	case said = <-line.said:
		if end.Base, _ = url.Parse(addressed.FindString(said)); end.Base != nil && end.Base.Host != "" {
			return end, nil
		}
	case <-ended:
	case <-late.C:
	case <-ctx.Done():
	}
	err := ctx.Err() // before it is ours
	end.Close()
	if err != nil {
		return nil, err
	}
	if said = strings.TrimSpace(said + "\n" + complaints.buf.String()); said == "" {
		said = process.ProcessState.String()
	}
	return nil, text.Wrong(text.Msg("selftest.silent", command[0], said), text.Msg("selftest.start.hint"))
}

// firstLine hands over the first line that is written, and forgets the rest.
type firstLine struct {
	buf  bytes.Buffer
	done bool
	said chan string
}

func (f *firstLine) Write(b []byte) (int, error) {
	if f.done {
		return len(b), nil
	}
	line, _, whole := bytes.Cut(b, []byte{'\n'})
	f.buf.Write(line)
	if whole || f.buf.Len() > saidLimit {
		f.done = true
		f.said <- f.buf.String()
	}
	return len(b), nil
}

// beginning keeps the beginning of what is written.
type beginning struct{ buf bytes.Buffer }

func (k *beginning) Write(b []byte) (int, error) {
	k.buf.Write(b[:min(len(b), max(saidLimit-k.buf.Len(), 0))])
	return len(b), nil
}
