package outcome

import (
	"slices"
	"strings"
)

// FromStatus names an answer whose HTTP status is not 200. code and message
// are the provider's own, where it gave any; they tell a spent balance from a
// limit on the rate, and a model that is not there from a path that is not.
func FromStatus(status int, code, message string) Class {
	said := words(code, message)
	switch {
	case status == 402 || mayBeQuota(status) && said.spent():
		return Quota
	case status == 401 || status == 403:
		return Auth
	case status == 429:
		return RateLimited
	case status >= 400 && said.codeOfUnknownModel(), status == 404 && said.ofModel(),
		(status == 400 || status == 422) && said.unknownModel():
		return ModelNotFound
	case status == 404:
		return PathNotFound
	case status == 400 || status == 413 || status == 422:
		return BadRequest
	case status == 503 || status == 529:
		return Overloaded
	case status >= 400:
		return Status(status)
	case status >= 300:
		return Redirected
	}
	return UnexpectedStatus
}

// InBand names an error inside an answer whose HTTP status is 200. status is
// the one the error itself gives, 0 where it gives none.
func InBand(status int, code, message string) Class {
	said := words(code, message)
	switch {
	case status == 402 || said.spent():
		return Quota
	case status == 429 || strings.HasPrefix(said.code, "rate_limit"):
		return RateLimited
	case status == 529 || strings.Contains(said.code, "overloaded"):
		return Overloaded
	}
	return InbandError
}

// mayBeQuota: 400 and 401 are here because widely used services send a spent
// balance under them; their words must still say so.
func mayBeQuota(status int) bool {
	return slices.Contains([]int{400, 401, 403, 429}, status)
}

// refusal is a provider's code and message, in lower case.
type refusal struct{ code, message string }

func words(code, message string) refusal {
	return refusal{strings.ToLower(code), strings.ToLower(message)}
}

func (r refusal) says(phrases ...string) bool {
	for _, p := range phrases {
		if strings.Contains(r.code, p) || strings.Contains(r.message, p) {
			return true
		}
	}
	return false
}

// spent reports whether money or a plan's allowance is used up. Some
// providers call a limit on the rate a quota too, "quota per minute": that
// passes by itself, so it is none. A quota that is only spoken of, as in
// "quota table locked", is none either.
func (r refusal) spent() bool {
	if r.says("insufficient_quota", "insufficient_user_quota", "exceeded your current quota") {
		return true
	}
	if r.says("per minute", "per second", "per_minute", "perminute", "rate limit", "每分钟", "每秒", "频率") {
		return false
	}
	if r.says("insufficient_balance", "insufficient_credit", "out of credits", "arrear", "欠费") {
		return true
	}
	if saysBoth(r.code, allowances, usedUp) {
		return true
	}
	for sentence := range strings.SplitSeq(sentences.Replace(r.message), "\n") {
		if saysBoth(sentence, allowances, usedUp) {
			return true
		}
	}
	return false
}

// What can be used up, and what says that it is.
var (
	allowances = []string{"quota", "credit", "balance", "billing", "spending", "余额", "额度", "配额"}
	usedUp     = []string{
		"exceed", "insufficient", "exhaust", "spent", "used up", "ran out", "run out", "too low", "not enough", "reached",
		"depleted", "overdue", "not_active", "not active", "negative",
		"不足", "不够", "用尽", "用完", "耗尽", "超出", "超过", "超额", "上限", "为0", "为零", "欠",
	}
	// sentences puts each on a line of its own, and takes out a word that holds
	// another.
	sentences = strings.NewReplacer(". ", "\n", "; ", "\n", "! ", "\n", "。", "\n", "；", "\n", "！", "\n", "balancer", "")
)

// saysBoth reports whether s holds a phrase of each list.
func saysBoth(s string, these, those []string) bool {
	holds := func(phrase string) bool { return strings.Contains(s, phrase) }
	return slices.ContainsFunc(these, holds) && slices.ContainsFunc(those, holds)
}

func (r refusal) ofModel() bool { return r.says("model", "模型") }

func (r refusal) codeOfUnknownModel() bool {
	return r.code == "model_not_found" || r.code == "modelnotfound"
}

// unknownModel is stricter than ofModel: a 400 mentions the model for many
// reasons, such as a field "not supported with this model".
func (r refusal) unknownModel() bool {
	if r.says("unknown model", "unknown_model", "invalid model", "invalid_model", "no such model", "model_not_found") {
		return true
	}
	_, after, found := strings.Cut(r.message, "model")
	if !found {
		_, after, found = strings.Cut(r.message, "模型")
	}
	return found && refusal{message: after}.says("not found", "not exist", "n't exist", "unknown", "not available",
		"unavailable", "missing", "不存在", "未找到")
}
