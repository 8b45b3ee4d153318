package text

func init() {
	add(map[string]Entry{
		"arrival.hint": {
			"a rate is such as 20, 60/min, 5..50@1m (a ramp over a minute), or 5@30s+20@30s (steps)",
			"速率的写法如 20、60/min、5..50@1m（一分钟内爬升）或 5@30s+20@30s（分段）"},
		"arrival.rate":          {"%q is no rate", "%q 不是速率"},
		"arrival.unit":          {"%q is no unit of a rate", "%q 不是速率的单位"},
		"arrival.unit.hint":     {"use /s, /min or /h", "请使用 /s、/min 或 /h"},
		"arrival.zero":          {"a rate of zero (%q) sends nothing", "速率为零（%q）不会发送任何请求"},
		"arrival.too_fast":      {"%q is more than %d a second", "%q 超过每秒 %d"},
		"arrival.duration":      {"%q is no duration of a part of the load", "%q 不是一段负载的时长"},
		"arrival.no_duration":   {"%q has no duration, and something follows it", "%q 没有时长，但后面还有内容"},
		"arrival.too_long":      {"%q lasts longer than 100 hours", "%q 超过 100 小时"},
		"arrival.ramp":          {"the ramp %q has no duration and never reaches its end", "爬坡 %q 没有时长，永远到不了终点"},
		"arrival.ramp.hint":     {"give it one: 5..50@1m, or --duration", "请给出时长：5..50@1m，或 --duration"},
		"arrival.endless":       {"the rate %q has neither a duration nor a number of requests", "速率 %q 既没有时长也没有请求数"},
		"arrival.endless.hint":  {"give --duration or --requests", "请给出 --duration 或 --requests"},
		"arrival.law":           {"%q is no kind of arrival", "%q 不是到达方式"},
		"arrival.law.hint":      {"known are: %s", "可用的有：%s"},
		"arrival.cv":            {"gamma arrivals can't have a coefficient of variation of %v", "gamma 到达的变异系数不能是 %v"},
		"arrival.cv.hint":       {"1 is Poisson, below is more regular, above comes in bursts; from %v to %v", "1 即泊松，更小则更规律，更大则更突发；范围为 %v 至 %v"},
		"arrival.too_many":      {"at the rate %q a level would send some %.0f requests", "以速率 %q，一级约需发送 %.0f 个请求"},
		"arrival.too_many.hint": {"shorten the level, or lower the rate: at most %d", "请缩短这一级或降低速率：最多 %d 个"},
		"arrival.late":          {"the last part of %q begins only after the duration of %v", "%q 的最后一段要到时长 %v 之后才开始"},
		"arrival.late.hint":     {"give a longer --duration, or the last part a length of its own", "请加长 --duration，或给最后一段单独写明时长"},
		"arrival.too_slow":      {"at the rate %q, %d requests take longer than %d hours", "以速率 %q，%d 个请求需要超过 %d 小时"},
		"arrival.too_slow.hint": {"send fewer requests, or raise the rate", "请减少请求数，或提高速率"},
		"arrival.short":         {"the rate %q offers less than one request within %v", "速率 %q 在 %v 内不足一个请求"},
		"arrival.none":          {"at the rate %q no request is due within %v", "以速率 %q，在 %v 内没有任何请求到期"},
		"arrival.none.hint":     {"lengthen the level, or raise the rate", "请延长这一级，或提高速率"},
	})
}
