package text

func init() {
	add(map[string]Entry{
		"run.ladder_stops": {
			"%[1]s of %[2]s requests failed at concurrency %[3]s, so the levels above it were not tried; --keep-climbing tries them",
			"并发 %[3]s 时 %[2]s 个请求中有 %[1]s 个失败，因此不再测试更高的并发；如需继续，请加 --keep-climbing"},
		"run.tokens_not_counted": {
			"the endpoint doesn't count the tokens of its answers, so the limit on total tokens can't be held exactly",
			"服务端没有返回 token 用量，总 token 数上限无法精确控制"},
	})
}
