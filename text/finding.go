package text

func init() {
	add(map[string]Entry{
		"finding.rate_limited": {
			"%.1f %% of requests were refused as too many (429). Ask the provider for a higher rate limit, or stay below this concurrency: the figures describe the limit more than the model.",
			"%.1f%% 的请求被限流（429）。请向服务商申请更高的速率限制，或使用更低的并发：此时的数据更多反映限流，而不是模型本身。"},
		"finding.rate_limited.wait": {
			"%.1f %% of requests were refused as too many (429); the provider asked to wait up to %.0f s. Ask it for a higher rate limit, or stay below this concurrency: the figures describe the limit more than the model.",
			"%.1f%% 的请求被限流（429），服务商要求最长等待 %.0f s。请向其申请更高的速率限制，或使用更低的并发：此时的数据更多反映限流，而不是模型本身。"},
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
			"From concurrency %d to %d throughput changed by %+.1f %%: the endpoint is full, and more requests only wait. Stay near the lower one, or add capacity.",
			"并发从 %d 增至 %d，吞吐变化 %+.1f%%：接口已满负荷，更多请求只会排队。请将并发保持在较低的一级附近，或增加容量。"},
		"finding.queueing": {
			"From concurrency %d to %d the median TTFT grew to %.1f times while the time per token stayed (%.1f times): requests queue before their prefill. Allow more sequences at once on the server, add a replica, or stay below this concurrency.",
			"并发从 %d 增至 %d，TTFT 中位数增至原来的 %.1f 倍，而每 token 时间基本不变（%.1f 倍）：请求在预填充之前排队。请提高服务端的最大并行序列数、增加副本，或使用更低的并发。"},
		"finding.decode_slowed": {
			"From concurrency %d to %d the median time per token grew to %.1f times while TTFT stayed (%.1f times): larger batches slow each token. If readers need the speed, stay below this concurrency or add a replica.",
			"并发从 %d 增至 %d，每 token 时间的中位数增至原来的 %.1f 倍，而 TTFT 基本不变（%.1f 倍）：批次变大拖慢了每个 token。如果更看重单个请求的速度，请使用更低的并发或增加副本。"},
	})
}
