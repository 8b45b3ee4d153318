package text

func init() {
	add(map[string]Entry{
		// Why a level is short: clauses, which may be followed by another.
		"report.short.few": {
			"It sent %[1]d of the %[2]d requests that a concurrency of %[3]d needs at least",
			"并发 %[3]d 至少需要 %[2]d 个请求，实际只发出 %[1]d 个"},
		"report.short.never_full": {
			"It never had %d requests in flight at once", "在途请求数从未达到 %d"},
		"report.short.mean": {
			"On average %.1f of %d requests were in flight, less than %.0f %%",
			"平均在途请求数为 %.1f，低于 %d 的 %.0f%%"},
		"report.short.few_users": {
			"It sent %[1]d of the %[2]d requests that %[3]d users need at least",
			"%[3]d 个用户至少需要 %[2]d 个请求，实际只发出 %[1]d 个"},
		"report.short.never_all": {
			"Not all of its %d users ever began", "%d 个用户未曾全部开始"},
		"report.short.nothing_due": {
			"None of its requests was due before it ended", "在这一级结束之前没有请求到期"},
		"report.short.unsettled": {
			"Its requests were due within %.1f s, no longer than the median latency of %.1f s, so the endpoint never had as much to do as this rate brings",
			"请求在 %.1f s 内全部到期，不长于延迟的中位数 %.1f s，接口从未承受该速率带来的全部负载"},
		"report.short.cut_off": {
			"%s: the records end inside the level", "%s（记录在这一级中途中断）"},
		"report.short.ended_early": {
			"%[1]s: %[2]s", "%[1]s（%[2]s）"},

		// What a level asks for, at the end of a sentence.
		"report.level.concurrency": {"concurrency %d", "并发 %d"},
		"report.level.users":       {"%d users", "%d 个用户"},
		"report.level.rate":        {"%s requests/s", "每秒 %s 个请求"},
		"report.level.sessions":    {"%s sessions/s", "每秒 %s 个会话"},

		// The verdict.
		"report.best.power": {
			"QPS is at %.0f %% of its peak for %.1f times the latency of %s",
			"QPS 达到峰值的 %.0f%%，延迟为%[3]s 时的 %.1[2]f 倍"},
		"report.best.power_kept_up": {
			"QPS is at %.0f %% of the most that the endpoint kept up with, for %.1f times the latency of %s",
			"QPS 达到接口能跟上的最高值的 %.0f%%，延迟为%[3]s 时的 %.1[2]f 倍"},
		"report.best.power_at_top": {
			"QPS is at %.0f %% of its peak for %.1f times the latency of %s; no higher one was measured, and it may be better",
			"QPS 达到峰值的 %.0f%%，延迟为%[3]s 时的 %.1[2]f 倍；没有测量更高的一级，更高的一级可能更好"},
		"report.best.lowest": {
			"At %s there is only %.1f times the QPS, for %.1f times the latency",
			"%s 时的 QPS 只有它的 %.1f 倍，延迟却是它的 %.1f 倍"},
		"report.best.only": {
			"It is the only level that counts: the others are short, or too many of their requests failed",
			"只有这一级可以采信：其余各级未达并发，或失败请求过多"},
		"report.best.of": {
			"For %[1]s, prompts %[2]s: %[3]s", "针对 %[1]s、提示词分组 %[2]s：%[3]s"},
		"report.best.one_level": {
			"One level is no ladder: give several concurrencies, or rates, to find the best",
			"只有一级，无从比较：请给出多个并发数或速率以找出最佳值"},
		"report.best.one_reached": {
			"The run ended before a second level, so there is nothing to compare this one with",
			"运行在第二级之前结束，没有可以比较的级别"},
		"report.best.none": {
			"No level can be named best: of %[1]d, %[2]d short, %[3]d below %.0[4]f %% success",
			"无法选出最佳的一级：共 %[1]d 级，其中 %[2]d 级未达并发，%[3]d 级成功率低于 %.0[4]f%%"},
		"report.best.none_kept_up": {
			"No level can be named best: of %[1]d, %[2]d short, %[3]d below %.0[4]f %% success, %[5]d that the endpoint did not keep up with",
			"无法选出最佳的一级：共 %[1]d 级，其中 %[2]d 级未达要求的负载，%[3]d 级成功率低于 %.0[4]f%%，%[5]d 级接口跟不上"},
		"report.best.refused": {
			"Nothing was loaded: the preflight request failed", "没有施加负载：预检请求失败"},
		"report.best.nothing": {
			"Nothing was loaded", "没有施加负载"},

		// The machine's clocks.
		"report.clock_stepped": {
			"The wall clock was set during the level, at most by %+.1f ms, %.1f s after the run began. Arrivals that the kernel stamped around that moment are off by as much; keep the clock from being set while you measure.",
			"这一级期间系统时钟被调整，最大一次为 %+.1f ms，发生在运行开始后 %.1f s。该时刻前后由内核打上的到达时间戳会有同样大的偏差；测量期间请避免调整时钟。"},
		"report.machine_slept": {
			"The machine was suspended for %.1f s during the level, until %.1f s after the run began: what was in flight then is no measurement.",
			"这一级期间机器挂起了 %.1f s，直到运行开始后 %.1f s：当时在途的请求不能作为测量结果。"},

		// Odd things that were tolerated.
		"report.warning.unknown": {
			"The records tell of %q, which this version has no words for.",
			"记录中有 %q，当前版本无法解释。"},
		"warning.burst": {
			"The whole answer came at one moment: something on the way buffers it, so these requests have no time per token.",
			"整个回答在同一时刻到达：途中有环节在缓冲，因此这些请求没有每 token 时间。"},
		"warning.clumped": {
			"Output came in clumps: something on the way holds frames back, so gaps and TTFT are the buffer's more than the model's.",
			"输出成批到达：途中有环节攒下数据帧后再转发，因此间隔与 TTFT 更多反映缓冲，而不是模型本身。"},
		"warning.unclean_close": {
			"The connection closed without the end of the body that HTTP asks for; the answer was complete.",
			"连接关闭时缺少 HTTP 规定的响应体结束标记；回答本身是完整的。"},
		"warning.lingering_body": {
			"The server kept the body open after the answer had ended; the connection was closed.",
			"回答结束后服务端没有结束响应体；已关闭该连接。"},
		"warning.unterminated_tail": {
			"The last event had no blank line after it; it was read nevertheless.",
			"最后一个事件之后缺少空行；仍按正常事件读取。"},
		"warning.missing_event_separator": {
			"Events came without a blank line between them; they were told apart nevertheless.",
			"事件之间缺少空行；仍已正确拆分。"},
		"warning.output_after_finish": {
			"Text came after the finish reason; it counts as output.",
			"结束原因之后又收到文本；仍计为输出。"},
		"warning.done_without_finish": {
			"The stream ended with its sentinel but gave no finish reason.",
			"流以结束标记收尾，但没有给出结束原因。"},
		"warning.done_spelling": {
			"The end sentinel was spelled in an unusual way; it was accepted.",
			"结束标记的写法不规范；仍予接受。"},
		"warning.not_streamed": {
			"The server ignored stream=true and sent a whole answer: these requests have no TTFT, gaps or time per token.",
			"服务端忽略了 stream=true，一次性返回整个回答：这些请求没有 TTFT、间隔和每 token 时间。"},
		"warning.duplicate_final_text": {
			"The last piece of text repeated the whole answer; it counts as output, so latency includes it.",
			"最后一段文本重复了整个回答；仍计为输出，延迟包含这一段。"},
		"warning.cumulative_text": {
			"Each piece of text repeated all text before it; token counts are the server's and not affected.",
			"每段文本都包含之前的全部内容；token 数取自服务端，不受影响。"},
		"warning.hidden_reasoning": {
			"The server counts reasoning tokens that it does not stream: TTFT includes the thinking, and time per token is over the visible tokens.",
			"服务端计入了推理 token，但没有流式输出推理内容：TTFT 包含思考时间，每 token 时间只按可见 token 计算。"},
		"warning.suspect_zero": {
			"The server reported zero tokens where there must have been some; the count was left out.",
			"服务端上报的 token 数为零，而实际不可能为零；该计数未采用。"},
		"warning.compressed": {
			"The answer was compressed although that was not asked for; compression can delay tokens.",
			"未请求压缩，回答却被压缩；压缩可能延迟 token 的到达。"},
		"warning.usage_missing": {
			"The server sent no token count for these requests: token rates are of the others, and so too low.",
			"服务端没有返回这些请求的用量：token 速率只统计了其余请求，因此偏低。"},
		"warning.usage_location": {
			"The token count was inside a choice or a vendor's own object instead of where the API puts it.",
			"token 用量放在 choice 内或厂商自定义对象里，而不在 API 规定的位置。"},
		"warning.rounds_left_out": {
			"Rounds that did not reach what was asked count in reliability only.",
			"未达到要求负载的轮次只计入可靠性统计。"},
	})
}
