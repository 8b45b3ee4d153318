package text

func init() {
	add(map[string]Entry{
		// What is said before a load, a fact a line.
		"show.before_target":     {"target", "目标"},
		"show.before_where":      {"%[1]s (%[2]s)", "%[1]s（%[2]s）"},
		"show.before_preflight":  {"preflight", "预检"},
		"show.before_streamed":   {"%[1]s answered: TTFT %[2]s, whole answer %[3]s", "%[1]s 已回答：TTFT %[2]s，完整回答 %[3]s"},
		"show.before_whole":      {"%[1]s answered: whole answer %[2]s, not streamed", "%[1]s 已回答：完整回答 %[2]s，非流式"},
		"show.before_send":       {"to send", "将发送"},
		"show.before_levels":     {"levels: %[1]s", "级数：%[1]s"},
		"show.before_requests":   {"requests: %[1]s", "请求数：%[1]s"},
		"show.before_input":      {"input tokens ≈ %[1]s", "输入 ≈ %[1]s token"},
		"show.before_output":     {"output tokens at most %[1]s", "输出最多 %[1]s token"},
		"show.before_least_time": {"≈ %[1]s where answers have their full length", "若回答都达到上限长度，约需 %[1]s"},
	})
}
