package text

func init() {
	add(map[string]Entry{
		"outcome.ok": {"answered", "成功"},

		"outcome.empty_output": {"an answer with no text", "回答中没有任何文本"},
		"outcome.empty_output.cure": {
			"raise --max-tokens: a reasoning model may spend them all before it says anything; and look at the finish reason, a filter may have removed the text",
			"调大 --max-tokens：推理模型可能在给出回答之前就用完了 token；并请查看结束原因，文本也可能被过滤掉了"},
		"outcome.incomplete_stream": {"the stream ended before the answer did", "流在回答结束之前中断"},
		"outcome.incomplete_stream.cure": {
			"look in the log of the server or gateway for a crash, a restart or a response timeout shorter than the answer",
			"查看服务端或网关日志：是否崩溃、重启，或响应超时设得比回答时间还短"},
		"outcome.inband_error": {"an error inside an HTTP 200", "HTTP 200 响应中带有错误"},
		"outcome.inband_error.cure": {
			"read the provider's message: the gateway answered 200 before the engine behind it failed",
			"查看服务商给出的错误信息：网关先返回了 200，其后的推理引擎才出错"},
		"outcome.protocol_error": {"bytes that can't be decoded", "响应无法解析"},
		"outcome.protocol_error.cure": {
			"check that --dialect is the API that this URL speaks, and that no proxy rewrites the stream",
			"确认 --dialect 与该地址的 API 一致，并确认没有代理改写数据流"},
		"outcome.wrong_protocol": {"an answer in another API's form", "返回的是另一种 API 的格式"},
		"outcome.wrong_protocol.cure": {
			"name the API that this URL speaks with --dialect, or use the URL of its chat completions API",
			"用 --dialect 指明该地址使用的 API，或改用它的 chat completions 地址"},
		"outcome.not_an_api_response": {"an answer that comes from no API, such as a web page", "返回的不是 API 响应（例如网页）"},
		"outcome.not_an_api_response.cure": {
			"check --url: it should be the base of the API, often with /v1 at its end, not the address of a web site",
			"检查 --url：应填 API 的基础地址（通常以 /v1 结尾），而不是网站地址"},
		"outcome.empty_body": {"an HTTP 200 with nothing in it", "HTTP 200，但响应体为空"},
		"outcome.empty_body.cure": {
			"look in the server's log: a prompt longer than its context, or an engine that crashed, can look like this",
			"查看服务端日志：提示词超出上下文长度，或引擎崩溃，都可能表现为空响应"},
		"outcome.response_too_large": {"an answer larger than the limit of the client", "响应超过客户端上限"},
		"outcome.response_too_large.cure": {
			"lower --max-tokens; if the answer should be short, look at what the server sends",
			"调小 --max-tokens；如果回答本应很短，请检查服务端究竟发送了什么"},
		"outcome.unsupported_encoding": {"an answer compressed in a way that was not asked for", "响应使用了未请求的压缩方式"},
		"outcome.unsupported_encoding.cure": {
			"turn compression off for this path in the proxy: it also delays tokens",
			"在代理中关闭该路径的压缩：压缩还会延迟 token 的到达"},

		"outcome.rate_limited": {"refused: too many requests (429)", "被限流（429）"},
		"outcome.rate_limited.cure": {
			"lower --concurrency, or ask the provider for a higher rate limit in its console",
			"降低 --concurrency，或在服务商控制台申请更高的速率限制"},
		"outcome.quota": {"refused: the balance or the plan's allowance is spent", "被拒绝：余额或套餐额度已用完"},
		"outcome.quota.cure": {
			"top up or raise the limit in the provider's console, or use a key that has balance left",
			"在服务商控制台充值或提高额度，或换用还有余额的密钥"},
		"outcome.overloaded": {"refused: the server has no capacity (503, 529)", "被拒绝：服务过载（503、529）"},
		"outcome.overloaded.cure": {
			"lower --concurrency, or try again later: this is the capacity behind the endpoint, not your quota",
			"降低 --concurrency 或稍后再试：这是服务端容量不足，与账户额度无关"},
		"outcome.auth": {"refused: the key is missing or not accepted (401, 403)", "被拒绝：密钥缺失或无效（401、403）"},
		"outcome.auth.cure": {
			"name the variable that holds the key with --key-env, or its file with --key-file; check in the provider's console that the key is active and may use this model",
			"用 --key-env 指定存放密钥的环境变量，或用 --key-file 指定密钥文件；并在服务商控制台确认密钥有效且有权使用该模型"},
		"outcome.bad_request": {"refused: the request is not accepted (400, 413, 422)", "被拒绝：请求不被接受（400、413、422）"},
		"outcome.bad_request.cure": {
			"read the provider's message; common causes are a prompt longer than the context, --max-tokens above the model's limit, or a body field the server does not know",
			"查看服务商给出的错误信息；常见原因有：提示词超出上下文长度、--max-tokens 超过模型上限、请求体含有服务端不认识的字段"},
		"outcome.model_not_found": {"refused: no such model", "被拒绝：模型不存在"},
		"outcome.model_not_found.cure": {
			"name a model that the endpoint serves with --model; tidemark check lists them where the endpoint tells",
			"用 --model 指定该接口提供的模型；若接口支持列出模型，tidemark check 会显示"},
		"outcome.path_not_found": {"there is nothing at this URL (404)", "该地址不存在（404）"},
		"outcome.path_not_found.cure": {
			"try --url with and without /v1 at its end: the API's path is appended to it as it is",
			"分别试试 --url 末尾带 /v1 和不带 /v1：API 路径会原样接在其后"},
		"outcome.redirected": {"a redirect, which is not followed", "返回了重定向，客户端不跟随"},
		"outcome.redirected.cure": {
			"give the final address to --url, often https:// instead of http://",
			"将 --url 改为最终地址，常见情况是应使用 https:// 而非 http://"},
		"outcome.unexpected_status": {"an HTTP status that this API does not use", "API 不应返回的 HTTP 状态码"},
		"outcome.unexpected_status.cure": {
			"check that --url is the API itself and no proxy, login page or health check",
			"确认 --url 指向 API 本身，而不是代理、登录页或健康检查地址"},
		"outcome.http": {"HTTP %s", "HTTP %s"},
		"outcome.http.cure": {
			"look for status %s in the log of the server and of every gateway before it; 502 and 504 come from a gateway whose server failed or was too slow",
			"在服务端及其前面各级网关的日志中查找状态码 %s；502 和 504 由网关返回，表示其后的服务出错或过慢"},

		"outcome.connection_reset": {"the server cut the connection", "连接被服务端断开"},
		"outcome.connection_reset.cure": {
			"look in the log of the server or load balancer for a crash, or for a limit on connections or on their age",
			"查看服务端或负载均衡的日志：是否崩溃，是否限制了连接数或连接时长"},
		"outcome.stale_connection": {"a kept connection was already closed when it was used", "复用的连接在使用时已被关闭"},
		"outcome.stale_connection.cure": {
			"nothing to do in most cases: the server closes idle connections early; it is counted apart from its errors",
			"通常无需处理：服务端过早关闭了空闲连接；此类情况不计入其错误率"},
		"outcome.connect": {"no connection could be opened", "无法建立连接"},
		"outcome.connect.cure": {
			"check host and port in --url, that the server is running, and that no firewall or proxy is in between; --connect-timeout sets how long to wait",
			"检查 --url 中的主机和端口、服务是否已启动、中间是否有防火墙或代理；等待时长由 --connect-timeout 设置"},

		"outcome.ttft_timeout": {"no first token within the limit", "首 token 超时"},
		"outcome.ttft_timeout.cure": {
			"lower --concurrency, or raise --ttft-timeout if the wait is acceptable: requests may be queueing, or the model still loading",
			"降低 --concurrency；如果可以接受等待，可调大 --ttft-timeout：请求可能在排队，或模型仍在加载"},
		"outcome.idle_timeout": {"nothing arrived within the limit between bytes", "数据中途停顿超时"},
		"outcome.idle_timeout.cure": {
			"look for a stall in the server's log; raise --idle-timeout if such pauses are normal here",
			"查看服务端日志中的停顿；如果这种停顿属正常，可调大 --idle-timeout"},
		"outcome.output_idle_timeout": {"no token within the limit between outputs", "token 之间停顿超时"},
		"outcome.output_idle_timeout.cure": {
			"the connection is alive but no token comes: look at the server's queue, or raise --output-idle-timeout for models that think without showing it",
			"连接仍在但没有新 token：检查服务端队列；对于不输出思考过程的推理模型，可调大 --output-idle-timeout"},
		"outcome.total_timeout": {"the answer did not end within the limit", "回答未在时限内结束"},
		"outcome.total_timeout.cure": {
			"lower --max-tokens or --concurrency, or raise --timeout",
			"调小 --max-tokens 或 --concurrency，或调大 --timeout"},

		"outcome.client_resource": {"this machine ran out of something", "本机资源不足"},
		"outcome.client_resource.cure": {
			"raise the limit on open files (ulimit -n), free ports or memory, or lower --concurrency",
			"提高打开文件数上限（ulimit -n），释放端口或内存，或降低 --concurrency"},
		"outcome.cut_by_run_end": {"cut by the end of the run", "因运行结束而中断"},
		"outcome.cut_by_run_end.cure": {
			"nothing failed; give the run more time with --duration or --max-time, or its last answers with --drain",
			"并非失败；可用 --duration 或 --max-time 延长运行时间，或用 --drain 给最后的回答留出时间"},
		"outcome.cancelled_by_plan": {"cancelled by the client, as the plan asks", "按计划由客户端取消"},
		"outcome.cancelled_by_plan.cure": {
			"nothing failed; whether the server stops generating then is seen in the speed of the others",
			"并非失败；服务端此后是否停止生成，可从其他请求的速度看出"},

		"outcome.unknown": {"%s, which this version does not know", "%s（当前版本无法识别）"},
		"outcome.unknown.cure": {
			"read these records with a newer version of tidemark",
			"请用更新版本的 tidemark 读取这些记录"},
	})
}
