package check

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"syscall"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
	"tidemark/wire"
)

// openStage is the step that no connection could be opened in.
func openStage(err error) wire.Stage {
	var open *wire.OpenError
	if errors.As(err, &open) {
		return open.Stage
	}
	return wire.StageConnect
}

// openFault names why no connection could be opened, and what to look at.
func (p *probe) openFault(a *record.Attempt, err error) *text.Fault {
	base := p.Client.Target.Base
	host, where := base.Hostname(), hostPort(base)
	_, port, _ := net.SplitHostPort(where)
	stage := openStage(err)
	var name *net.DNSError
	var timeout net.Error
	switch {
	case a.Outcome == outcome.CutByRunEnd || a.Outcome == outcome.ClientResource:
		return text.Wrong(text.Msg("check.failed", a.Outcome.Name(), err.Error()), a.Outcome.Cure())
	case errors.As(err, &name) && name.IsNotFound:
		return text.Wrong(text.Msg("check.resolve.failed", host), text.Msg("check.resolve.failed.hint"))
	case stage == wire.StageResolve:
		return text.Wrong(text.Msg("check.resolve.trouble", host, err.Error()), text.Msg("check.resolve.failed.hint"))
	case errors.As(err, &timeout) && timeout.Timeout():
		return text.Wrong(text.Msg("check.connect.timeout", where, p.Client.Timeouts.Connect.String()), text.Msg("check.connect.timeout.hint"))
	case stage == wire.StageTLS:
		return tlsFault(err, host, where)
	case errors.Is(err, syscall.ECONNREFUSED):
		return text.Wrong(text.Msg("check.connect.refused", where), text.Msg("check.connect.refused.hint", port))
	}
	return text.Wrong(text.Msg("check.connect.failed", where, err.Error()), outcome.Connect.Cure())
}

// tlsFault names what is wrong with a handshake.
func tlsFault(err error, host, where string) *text.Fault {
	var unknown x509.UnknownAuthorityError
	var wrongName x509.HostnameError
	var invalid x509.CertificateInvalidError
	var header tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown):
		return text.Wrong(text.Msg("check.tls.authority", host), text.Msg("check.tls.authority.hint"))
	case errors.As(err, &wrongName):
		return text.Wrong(text.Msg("check.tls.name", host), text.Msg("check.tls.name.hint"))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return text.Wrong(text.Msg("check.tls.expired", host), text.Msg("check.tls.expired.hint"))
	case errors.As(err, &header):
		return text.Wrong(text.Msg("check.tls.plain", where), text.Msg("check.tls.plain.hint", "http://"+where))
	}
	return text.Wrong(text.Msg("check.tls.failed", where, err.Error()), text.Msg("check.tls.failed.hint"))
}
