package text

func init() {
	add(map[string]Entry{
		"run.ladder_stops": {
			"%[1]s of %[2]s requests failed at level %[3]s, so the levels above it were not tried; --keep-climbing tries them",
			"在 %[3]s 这一级，%[2]s 个请求中有 %[1]s 个失败，因此不再测试更高的级；如需继续，请加 --keep-climbing"},
		"run.closes": {
			"the endpoint closes connections after an answer without saying so, and a request was lost on one; from there on each request had a connection of its own",
			"接口在回答后未声明就关闭连接，有一个请求因此丢失；此后每个请求都使用新的连接"},
		"run.tokens_not_counted": {
			"the endpoint doesn't count the tokens of its answers, so the limit on total tokens can't be held exactly",
			"接口不返回回答的 token 用量，因此 token 总量上限无法精确控制"},
	})
}
