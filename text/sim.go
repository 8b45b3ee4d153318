package text

func init() {
	add(map[string]Entry{
		"sim.bad_address":      {"%q is no address to listen on", "%q 不是可以监听的地址"},
		"sim.bad_address_hint": {"give host and port, such as 127.0.0.1:8080; port 0 takes any free one", "请写成“主机:端口”，例如 127.0.0.1:8080；端口 0 表示任选一个空闲端口"},
		"sim.exposed":          {"other machines could reach the simulated endpoint at %s", "其他机器可以访问 %s 上的模拟接口"},
		"sim.exposed_hint":     {"listen on 127.0.0.1, or say explicitly that others may reach it", "请监听 127.0.0.1；若确实要对外开放，请明确指定"},
		"sim.listen":           {"can't listen on %s: %s", "无法监听 %s：%s"},
		"sim.listen_hint":      {"another program may hold that port: choose another, or port 0 for any free one", "该端口可能已被占用：请换一个端口，或用端口 0 任选一个空闲端口"},

		"sim.bad_max_tokens":      {"an answer of %d tokens is out of range, which is 1 to %d", "回答长度 %d 个 token 超出范围（1 到 %d）"},
		"sim.bad_max_tokens_hint": {"choose a length in that range, or 0 for the default", "请在该范围内取值，或用 0 表示默认值"},
		"sim.bad_lengths":         {"answers can't be drawn between %d and %d tokens long", "回答长度无法在 %d 到 %d 个 token 之间抽取"},
		"sim.bad_lengths_hint":    {"the least must be at least 1 and the most no less than it", "下限至少为 1，上限不得小于下限"},
		"sim.negative":            {"a speed or size of the simulated engine is negative", "模拟引擎的某个速度或规模参数为负数"},
		"sim.negative_hint":       {"give times and counts of 0 or more; 0 takes the default", "时间和数量须大于或等于 0；0 表示默认值"},

		"sim.unknown_fault":      {"no fault is called %q", "没有名为 %q 的故障"},
		"sim.unknown_fault_hint": {"known faults: %s", "可用的故障：%s"},
		"sim.bad_fault":          {"%q in the fault %q can't be read", "无法识别 %q（故障 %q）"},
		"sim.bad_fault_hint":     {"write KIND, and where needed :every=10 :rate=0.05 :after=3 :wait=2s behind it", "请写故障名，必要时在其后加 :every=10 :rate=0.05 :after=3 :wait=2s"},
		"sim.fault_range":        {"a value of the fault %q is out of range", "故障 %q 的某个取值超出范围"},
		"sim.fault_range_hint":   {"every and after are 0 or more, rate is 0 to 1, wait is at most 1h", "every 和 after 须大于或等于 0，rate 须在 0 到 1 之间，wait 最长 1h"},

		"sim.fault.429":       {"429 with Retry-After: too many requests", "429，带 Retry-After：请求过多"},
		"sim.fault.quota":     {"429 whose code says that the quota is spent", "429，错误码表明额度已用尽"},
		"sim.fault.500":       {"500: the server failed", "500：服务端出错"},
		"sim.fault.503":       {"503: the server is overloaded", "503：服务端过载"},
		"sim.fault.401":       {"401: the key is refused", "401：密钥被拒绝"},
		"sim.fault.404":       {"404: the model does not exist", "404：模型不存在"},
		"sim.fault.error":     {"an error inside of the stream, under a 200", "状态码为 200，但流中途出现错误"},
		"sim.fault.cut":       {"the connection closes in the middle of the answer", "回答中途连接被关闭"},
		"sim.fault.rst":       {"the connection is reset in the middle of the answer", "回答中途连接被重置"},
		"sim.fault.empty":     {"200 and an empty body", "200，但响应体为空"},
		"sim.fault.no_output": {"a proper stream without a single token", "流格式完整，但没有任何 token"},
		"sim.fault.stall":     {"the stream stands still for a while, then goes on", "流停顿一段时间后继续"},
		"sim.fault.role_wait": {"a role-only chunk at once, then a long wait for the first token", "立即返回只含角色的数据帧，首 token 则要等很久"},
		"sim.fault.no_usage":  {"no token counts, though asked for", "请求了 token 用量却不返回"},
		"sim.fault.no_finish": {"no finish reason, only [DONE]", "没有结束原因，只有 [DONE]"},
		"sim.fault.no_end":    {"neither finish reason nor [DONE]: the body just ends", "既无结束原因也无 [DONE]：响应体直接结束"},
		"sim.fault.html":      {"200 and a web page", "200，但返回的是网页"},
		"sim.fault.buffer":    {"the whole stream in one write at its end", "整个流到最后一次性写出"},
	})
}
