package text

func init() {
	add(map[string]Entry{
		"finding.rate_limited": {
			"%.1f %% of requests were refused as too many (429). Ask the provider for a higher rate limit, or stay below this load: the figures describe the limit more than the model.",
			"%.1f%% 的请求被限流（429）。请向服务商申请更高的速率限制，或降低负载：此时的数据更多反映限流，而不是模型本身。"},
		"finding.rate_limited.wait": {
			"%.1f %% of requests were refused as too many (429); the provider asked to wait up to %.0f s. Ask it for a higher rate limit, or stay below this load: the figures describe the limit more than the model.",
			"%.1f%% 的请求被限流（429），服务商要求最长等待 %.0f s。请向其申请更高的速率限制，或降低负载：此时的数据更多反映限流，而不是模型本身。"},
		"finding.quota_spent": {
			"The balance or the plan's allowance was spent: requests refused so: %d. Top up in the provider's console, then run again.",
			"余额或套餐额度已用完，因此被拒绝的请求数：%d。请在服务商控制台充值后重新运行。"},
		"finding.failures": {
			"%.1f %% of requests failed, most often: %s. What to do: %s.",
			"%.1f%% 的请求失败，最常见的原因：%s。处理办法：%s。"},
		"finding.buffering": {
			"%.0f %% of answers came at one moment or in clumps: a gateway or proxy holds the stream back. Turn response buffering off on the way to the model (for nginx, proxy_buffering off); until then TTFT and gaps describe the buffer.",
			"%.0f%% 的回答在同一时刻到达或成批到达：途中的网关或代理在缓冲流式输出。请关闭链路上的响应缓冲（nginx 为 proxy_buffering off）；在此之前，TTFT 与间隔反映的是缓冲。"},
		"finding.too_few_requests": {
			"%[1]d requests can't show a concurrency of %[2]d. Send at least %[3]d with --requests, or leave this level out.",
			"%[1]d 个请求不足以体现并发 %[2]d。请用 --requests 至少发送 %[3]d 个，或去掉这一级。"},
		"finding.throughput_plateau": {
			"From %s throughput changed by %+.1f %%: the endpoint is full, and more requests only wait. Stay near the lower one, or add capacity.",
			"%s，吞吐变化 %+.1f%%：接口已满负荷，更多请求只会排队。请保持在较低的一级附近，或增加容量。"},
		// From one level to another, after "From".
		"finding.step.concurrency": {"concurrency %d to %d", "并发从 %d 增至 %d"},
		"finding.step.users":       {"%d to %d users", "用户从 %d 个增至 %d 个"},
		"finding.step.rate":        {"%s to %s", "从%s增至%s"},
		"finding.saturated": {
			"The endpoint does not keep up with %s: it answered %.1f requests/s, and the number under way grew by %.0f %% of its mean while the load lasted. Latency here depends on how long you watch; stay below this rate, or add capacity.",
			"接口跟不上%s：实际每秒完成 %.1f 个请求，负载期间在途请求数的增长达到其均值的 %.0f%%。此时的延迟取决于观察时长；请使用更低的速率，或增加容量。"},
		"finding.cap_reached": {
			"%.1f %% of the requests that were due waited for the cap of %d in flight: latency from the due moment holds that wait, and the endpoint never saw the rate that was asked. Raise or remove --max-in-flight to measure the endpoint.",
			"%.1f%% 的到期请求因在途上限 %d 而等待：从到期时刻算起的延迟包含这段等待，接口也没有承受所要求的速率。要测量接口本身，请提高或去掉 --max-in-flight。"},
		"finding.cancelled": {
			"%.1f %% of requests were cancelled by the client, as the plan asks (%.1f %%): they are in no latency figure, and neither ok nor failed.",
			"%.1f%% 的请求按计划由客户端取消（计划为 %.1f%%）：它们不计入任何延迟数据，也不算成功或失败。"},
		"finding.schedule_overrun": {
			"The level took %.1f s, its schedule %.1f s: much of it was waiting for the last answers. Give it a longer --duration, so that most of it is under the load that was asked.",
			"这一级用时 %.1f s，而计划为 %.1f s：大部分时间在等待最后的回答。请延长 --duration，使大部分时间处于所要求的负载之下。"},
		"finding.queueing": {
			"From %s the median TTFT grew to %.1f times while the time per token stayed (%.1f times): requests queue before their prefill. Allow more sequences at once on the server, add a replica, or stay below this load.",
			"%s，TTFT 中位数增至原来的 %.1f 倍，而每 token 时间基本不变（%.1f 倍）：请求在预填充之前排队。请提高服务端的最大并行序列数、增加副本，或降低负载。"},
		"finding.decode_slowed": {
			"From %s the median time per token grew to %.1f times while TTFT stayed (%.1f times): larger batches slow each token. If readers need the speed, stay below this load or add a replica.",
			"%s，每 token 时间的中位数增至原来的 %.1f 倍，而 TTFT 基本不变（%.1f 倍）：批次变大拖慢了每个 token。如果更看重单个请求的速度，请降低负载或增加副本。"},
	})
}
