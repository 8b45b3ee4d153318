package text

func init() {
	add(map[string]Entry{
		// Why a check has nothing to judge, or could not.
		"validity.closed":        {"A closed loop has no schedule.", "闭环没有时间表。"},
		"validity.open":          {"An open loop asks for no concurrency.", "开环不要求并发。"},
		"validity.thinking":      {"Users think between their turns, and then nothing of theirs is in flight.", "用户在两轮之间思考，此时没有在途请求。"},
		"validity.short":         {"The level is short for another reason.", "这一级因其他原因未达并发。"},
		"validity.no_frames":     {"No answer of the window was streamed.", "窗口内没有流式回答。"},
		"validity.no_figures":    {"No request of the level came to ok.", "这一级没有成功的请求。"},
		"validity.no_length":     {"Neither a trace nor the plan fixes how long answers are.", "轨迹和计划都没有规定回答的长度。"},
		"validity.no_looks":      {"Too little is known of what the machine did during the level.", "这一级期间机器的情况所知不足。"},
		"validity.no_counter":    {"The records don't hold the engine's own count.", "记录中没有引擎自己的计数。"},
		"validity.kernel_stamps": {"The kernel stamps arrivals, whenever they are read.", "到达时刻由内核打戳，与何时读取无关。"},
		"validity.remote":        {"The endpoint runs on another machine.", "接口运行在另一台机器上。"},
		"validity.nothing_sent":  {"Nothing that was due was sent.", "到期的请求均未发出。"},
		"validity.nothing_due":   {"How many requests were due is not in the records.", "记录中没有到期请求数。"},
		"validity.because":       {"%[1]s: %[2]s.", "%[1]s：%[2]s。"},

		// V1. The first two may be followed by a reason.
		"validity.frames": {
			"When %.1f %% of output frames arrived is uncertain by more than %.1f ms",
			"%.1f%% 的输出数据帧到达时刻不确定，误差超过 %.1f ms"},
		"validity.firsts": {
			"When %.1f %% of first outputs arrived is uncertain by more than %.1f ms",
			"%.1f%% 的首个输出到达时刻不确定，误差超过 %.1f ms"},
		"validity.arrival.late": {
			"the client or its machine could not keep up (%.0f %% of these were read late)", "客户端或其所在机器跟不上（其中 %.0f%% 读取过晚）"},
		"validity.arrival.either": {
			"the client or its machine could not keep up, or the endpoint sends several at once",
			"可能是客户端或其所在机器跟不上，也可能是接口一次发出了多个数据帧"},
		"validity.arrival.bursts": {
			"the client read them promptly (all but %.0f %%), so the endpoint, or something on the way, sends several at once",
			"客户端读取及时（仅 %.0f%% 除外），因此是接口或途中某个环节一次发出了多个数据帧"},
		"validity.arrival.prompt": {
			"readers were woken in time (p99 %.2f ms), so the endpoint, or something on the way, sends several at once",
			"读取及时得到调度（p99 为 %.2f ms），因此是接口或途中某个环节一次发出了多个数据帧"},
		"validity.arrival.remedy": {
			"Use a machine with more free CPU, or a lower load.", "请换用 CPU 更空闲的机器，或降低负载。"},
		"validity.reads": {
			"Arrivals are stamped when they are read, and readers waited %.2f ms for a thread at p99.",
			"到达时刻取自读取时刻，读取等待调度的 p99 为 %.2f ms。"},
		"validity.reads.remedy": {
			"Use a machine with more free CPU, a lower load, or Linux, where the kernel stamps arrivals.",
			"请换用 CPU 更空闲的机器、降低负载，或使用由内核打到达时间戳的 Linux。"},

		// V2 to V4.
		"validity.late": {
			"Requests were sent at most %.2f ms after they were due, at p99.",
			"请求发出时刻比到期时刻晚，p99 为 %.2f ms。"},
		"validity.late.remedy": {
			"The client was late. Use a machine with more free CPU, or a lower rate.",
			"客户端发送过晚。请换用 CPU 更空闲的机器，或降低速率。"},
		"validity.sent": {
			"Of the requests that were due, sent: %[1]d of %[2]d.", "到期请求中已发出：%[1]d / %[2]d。"},
		"validity.sent.held": {
			"Of the requests that were due, sent: %[1]d of %[2]d; the cap of %[4]d in flight held %[3]d of them back.",
			"到期请求中已发出：%[1]d / %[2]d；其中 %[3]d 个因在途上限 %[4]d 而被推迟。"},
		"validity.sent.remedy": {
			"The client did not send what was due. Use a machine with more free CPU, files and ports, or a lower rate.",
			"客户端没有发出全部到期请求。请换用 CPU、文件描述符和端口更充裕的机器，或降低速率。"},
		"validity.in_flight": {
			"On average %.1f %% of the asked concurrency were in flight.", "平均在途请求数为要求并发的 %.1f%%。"},
		"validity.in_flight.remedy": {
			"Give the level more requests, or a longer duration.", "请增加这一级的请求数，或延长时长。"},

		// V5, V9, V13.
		"validity.cpu": {
			"The client used %.2f of the %.2f cores it may use.", "客户端可用 %.2[2]f 核，实际使用 %.2[1]f 核。"},
		"validity.cpu.remedy": {
			"The client was out of CPU. Give it more cores, or use a lower load.",
			"客户端 CPU 不足。请分配更多核，或降低负载。"},
		"validity.throttled": {
			"The control group held the client back for %.1f ms.", "控制组使客户端停顿了 %.1f ms。"},
		"validity.throttled.remedy": {
			"Raise the CPU limit of the container or service, or use a lower load.",
			"请提高容器或服务的 CPU 上限，或降低负载。"},
		"validity.counters": {
			"The engine's count of requests in flight and the records differ by %.2f %%.",
			"引擎的在途请求计数与记录相差 %.2f%%。"},
		"validity.counters.remedy": {
			"This is a fault of Tidemark's: please report it, with the records.", "这是 Tidemark 自身的缺陷：请附上记录反馈。"},
		"validity.others": {
			"The endpoint runs on this machine, and other processes used %.2f cores beside the %.2f that the client may use.",
			"接口运行在本机，其他进程使用了 %.2f 核，客户端可用 %.2f 核。"},
		"validity.others.remedy": {
			"Client and endpoint take each other's CPU: run them on two machines, or on separate cores.",
			"客户端与接口争用 CPU：请在两台机器上运行，或绑定到不同的核。"},

		// V6, V8, V10, V11.
		"validity.percentiles": {
			"%[1]d values are too few for a bound on %[2]s; they are marked.", "%[1]d 个值不足以给出 %[2]s 的界；已标注。"},
		"validity.percentiles.fine": {
			"%d values are enough for every percentile that is shown.", "%d 个值足以支撑所示的全部百分位。"},
		"validity.percentiles.remedy": {
			"Send at least %d requests, or don't rely on the marked percentiles.", "请至少发送 %d 个请求，或不要依赖被标注的百分位。"},
		"validity.cut": {
			"Requests that the run's end cut: %d.", "因运行结束而被切断的请求：%d 个。"},
		"validity.cut.remedy": {
			"Their latency is not known, and is longer than what is shown. Give the run more time, or a longer --drain.",
			"它们的延迟未知，且比所示更长。请延长运行时间，或加大 --drain。"},
		"validity.length": {
			"Answers had %.1f %% of the tokens that were asked for.", "回答的 token 数为要求的 %.1f%%。"},
		"validity.length.remedy": {
			"Answers ended early, so the load was lighter than asked; ask the endpoint to ignore its end token, if it can.",
			"回答提前结束，负载低于要求；如果接口支持，请让它忽略结束 token。"},
		"validity.uncounted": {
			"Answers without a token count: %d.", "没有 token 计数的回答：%d 个。"},
		"validity.uncounted.remedy": {
			"Token figures leave these out. Ask for usage in the stream, if the endpoint can send it.",
			"token 相关数据不含这些回答。如果接口支持，请要求在流中返回用量。"},
		"validity.sources": {
			"Tokens were counted by %d sources, whose sums don't compare.", "token 计数来自 %d 个来源，合计不可比。"},
		"validity.sources.remedy": {
			"Measure endpoints that count differently in levels of their own.", "请把计数方式不同的接口分级测量。"},

		// V7.
		"validity.growth.brief": {
			"The load did not last long enough to see whether the endpoint keeps up.", "负载持续时间太短，无法判断接口是否跟得上。"},
		"validity.growth.ramp": {
			"What was due changed during the level, and so does what is under way.", "这一级期间到期数量在变化，在途数量也随之变化。"},
		"validity.growth.none": {
			"From %.1f to %.1f under way: the endpoint keeps up.", "在途数量从 %.1f 到 %.1f：接口跟得上。"},
		"validity.growth": {
			"From %.1f to %.1f under way, %.0f %% of the mean: the endpoint is saturated, and latency depends on how long you watch.",
			"在途数量从 %.1f 到 %.1f，增长为均值的 %.0f%%：接口已饱和，延迟取决于观察时长。"},
		"validity.growth.remedy": {
			"Use a lower rate, or add capacity to the endpoint.", "请降低速率，或为接口增加容量。"},
	})
}
