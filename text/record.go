package text

func init() {
	add(map[string]Entry{
		// Why a run or a level ended.
		"reason.done":              {"all its requests were sent and ended", "全部请求均已发送并结束"},
		"reason.interrupted":       {"the run was interrupted", "运行被中断"},
		"reason.max_time":          {"the time limit of the run was reached", "达到运行的总时长上限"},
		"reason.max_total_tokens":  {"the token limit of the run was reached", "达到运行的 token 总量上限"},
		"reason.max_error_percent": {"more requests failed than the run may have", "失败请求的比例超过运行允许的上限"},
		"reason.trace":             {"its trace could not be read to the end", "轨迹文件无法读完"},
		"reason.disk":              {"the records could not be written", "记录无法写入"},
		"reason.preflight":         {"the preflight request failed", "预检请求失败"},
		"reason.failing":           {"more than half of its requests failed", "超过一半的请求失败"},
		"reason.unknown":           {"it ended with %q, which this version does not know", "因 %q 而结束（当前版本无法识别）"},
	})
}
