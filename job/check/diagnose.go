package check

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"tidemark/load/plan"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
	"tidemark/wire/endpoint"
)

// shownModels is how many of a list fit into a sentence.
const shownModels = 10

// modelFault says why no model could be settled on where none was named.
func (p *probe) modelFault() *text.Fault {
	var refusal *endpoint.Refusal
	switch {
	case errors.As(p.listed, &refusal) && refusal.Class == outcome.Auth:
		return p.authFault(refusal.Status, refusal.Message)
	case errors.Is(p.listed, endpoint.ErrNoRoute), errors.Is(p.listed, endpoint.ErrNoList):
		if base := p.listingBase(); base != nil {
			return text.Wrong(text.Msg("check.path.models", shown(p.Client.Target.Base)), text.Msg("check.path.use", shown(base)))
		}
		return text.Wrong(text.Msg("check.model.unnamed"), text.Msg("check.model.unnamed.hint"))
	case errors.As(p.listed, &refusal):
		// Busy, broken or still loading its model: a name would not help.
		return text.Wrong(text.Msg("check.model.no_list", p.listed.Error()), refusal.Class.Cure())
	case p.listed != nil:
		return text.Wrong(text.Msg("check.model.no_list", p.listed.Error()), text.Msg("check.model.unnamed.hint"))
	case len(p.result.Models) == 0:
		return text.Wrong(text.Msg("check.model.none"), text.Msg("check.model.none.hint"))
	}
	return text.Wrong(text.Msg("check.model.several", len(p.result.Models)),
		text.Msg("check.model.several.hint", listed(p.result.Models)))
}

// listed puts the first models into a sentence.
func listed(models []string) string {
	s := strings.Join(models[:min(len(models), shownModels)], ", ")
	if len(models) > shownModels {
		s += ", …"
	}
	return s
}

// answerFault says what stands in the way of a run after the endpoint was
// asked; nil: nothing.
func (p *probe) answerFault(a *record.Attempt) *text.Fault {
	what := text.Msg("check.failed", a.Outcome.Name(), a.Message)
	if a.Message == "" {
		what = a.Outcome.Name()
	}
	switch a.Outcome {
	case outcome.OK:
		return nil
	case outcome.CutByRunEnd:
		return text.Wrong(text.Msg("check.interrupted"), text.Msg("check.interrupted.hint"))
	case outcome.Auth:
		return p.authFault(a.HTTPStatus, a.Message)
	case outcome.ModelNotFound:
		return text.Wrong(what, p.modelHint())
	case outcome.BadRequest:
		return text.Wrong(what, p.parameterHint(a.Message))
	case outcome.PathNotFound, outcome.NotAnAPIResponse, outcome.Status(http.StatusMethodNotAllowed):
		return p.pathFault(a)
	case outcome.Redirected:
		if base := p.redirectedBase(a.Message); base != nil {
			return text.Wrong(what, text.Msg("check.path.use", shown(base)))
		}
	}
	return text.Wrong(what, a.Outcome.Cure())
}

// authFault says which key was refused, or that there was none.
func (p *probe) authFault(status int, message string) *text.Fault {
	from := p.Key.place()
	var words any = message
	if message == "" {
		words = text.Msg("check.no_words")
	}
	switch {
	case p.Key.Empty && p.Key.Variable != "":
		return text.Wrong(text.Msg("check.key.unset", p.Key.Variable, status), text.Msg("check.key.unset.hint", p.Key.Variable))
	case p.Key.Empty && p.Key.File != "":
		return text.Wrong(text.Msg("check.key.empty", p.Key.File, status), text.Msg("check.key.empty.hint"))
	case from == "" && p.Client.Target.Header.Get("Authorization") == "":
		return text.Wrong(text.Msg("check.key.missing", status), text.Msg("check.key.empty.hint"))
	case from == "":
		return text.Wrong(text.Msg("check.key.refused_header", status, words), outcome.Auth.Cure())
	case p.Key.Space:
		return text.Wrong(text.Msg("check.key.refused", from, status, words), text.Msg("check.key.space.hint", from))
	}
	return text.Wrong(text.Msg("check.key.refused", from, status, words), outcome.Auth.Cure())
}

// modelHint names the model that was likely meant, else those there are.
func (p *probe) modelHint() text.Message {
	if near := nearestModel(p.Request.Model, p.result.Models); near != "" {
		return text.Msg("check.model.near", near, listed(p.result.Models))
	}
	if len(p.result.Models) > 0 {
		return text.Msg("check.model.several.hint", listed(p.result.Models))
	}
	return outcome.ModelNotFound.Cure()
}

// nearestModel is the model that was likely meant, by its whole name or, as
// gateways put the vendor before it, by the part behind the last slash; "":
// none is near.
func nearestModel(name string, models []string) string {
	if near := plan.Nearest(name, models); near != "" {
		return near
	}
	bare := make([]string, len(models))
	for i, m := range models {
		bare[i] = path.Base(m)
	}
	near := plan.Nearest(path.Base(name), bare)
	if i := slices.Index(bare, near); near != "" && i >= 0 {
		return models[i]
	}
	return ""
}

// parameterHint names the flag that a refused field has.
func (p *probe) parameterHint(message string) text.Message {
	field := p.Request.MaxTokensField
	if field == "" {
		field = "max_tokens"
	}
	message = strings.ToLower(message)
	says := func(s string) bool { return strings.Contains(message, s) }
	unsupported := slices.ContainsFunc([]string{
		"unsupported", "not supported", "unrecognized", "unknown", "not permitted", "unexpected", "extra", "instead",
	}, says)
	switch {
	case p.Client.Target.Base.Scheme == "http" && says("https"):
		return text.Msg("check.path.use", "https://"+p.Client.Target.Base.Host+p.Client.Target.Base.EscapedPath())
	case field == "max_tokens" && (says("max_completion_tokens") || says(field) && unsupported):
		return text.Msg("check.max_tokens_field", "max_completion_tokens")
	case field != "max_tokens" && says(field) && unsupported:
		return text.Msg("check.max_tokens_field", "max_tokens")
	case says("max_tokens"), says("max_completion_tokens"):
		return text.Msg("check.max_tokens_size")
	case says("temperature"):
		return text.Msg("check.temperature")
	case says("stream_options"):
		return text.Msg("check.stream_options")
	}
	return outcome.BadRequest.Cure()
}

// redirectedBase is the base that a redirect's address stands for; nil where
// it is no address of this API.
func (p *probe) redirectedBase(location string) *url.URL {
	to, err := p.Client.Target.Base.Parse(location)
	if err != nil {
		return nil
	}
	base, is := strings.CutSuffix(to.Path, p.route())
	if !is {
		return nil
	}
	to.Path, to.RawPath, to.RawQuery = base, "", ""
	return to
}
