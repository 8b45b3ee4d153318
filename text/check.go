package text

func init() {
	add(map[string]Entry{
		"check.as_is": {"%s", "%s"},

		// What each step saw.
		"check.resolve.address":    {"%s is an address already", "%s 本身就是 IP 地址"},
		"check.tls.none":           {"plain HTTP", "明文 HTTP"},
		"check.rtt.unknown":        {"this system does not tell", "当前系统不提供"},
		"check.key.none":           {"none was sent and none was asked for", "未发送密钥，接口也没有要求"},
		"check.key.header":         {"from a header of the plan, accepted", "来自计划中的请求头，已被接受"},
		"check.key.from":           {"from %s, accepted", "来自 %s，已被接受"},
		"check.key.space":          {"from %s, accepted; it had white space around it, which was left out", "来自 %s，已被接受；其首尾有空白字符，已去除"},
		"check.model.unlisted":     {"%s was answered, but the endpoint does not list it: it may answer any name with another model", "%s 有回答，但不在接口列出的模型之中：接口可能对任何名称都用另一个模型来回答"},
		"check.model.served":       {"%s, served as %s", "%s，实际提供的是 %s"},
		"check.stream.first":       {"streamed; the time is to the first token", "流式；所示时间为首 token 时间"},
		"check.stream.whole":       {"not streamed although it was asked for: no TTFT and no time per token can be measured", "请求了流式却一次性返回：无法测量 TTFT 和每 token 时间"},
		"check.stream.unasked":     {"not asked for", "未请求流式"},
		"check.usage":              {"%d input and %d output tokens", "输入 %d token，输出 %d token"},
		"check.usage.no_input":     {"%d output tokens, and no count of the input", "输出 %d token，没有输入 token 数"},
		"check.usage.none":         {"none: the total will be an estimate, marked ≈, and TPOT and token rates will be absent", "没有用量：token 相关数据只能估算，并标以 ≈"},
		"check.terminal":           {"finish reason %s", "结束原因 %s"},
		"check.terminal.no_reason": {"the end was signalled without a finish reason", "有结束信号，但没有结束原因"},
		"check.frames":             {"%d frames with text", "%d 个含文本的数据帧"},
		"check.frames.tokens":      {"%d frames with text, %.1f tokens a frame", "%d 个含文本的数据帧，平均每帧 %.1f token"},
		"check.reuse.kept":         {"kept open for the next request, or closed as announced", "已保持打开供下一个请求使用，或已按声明关闭"},
		"check.reuse.closed":       {"closed by the endpoint after its answer, unannounced: in a run each request opens one of its own", "回答后被接口关闭，且未事先声明：压测时每个请求都会新建连接"},
		"check.interrupted":        {"interrupted before an answer was complete", "在回答完成之前被中断"},
		"check.interrupted.hint":   {"ask again and wait for it, or set --ttft-timeout and --timeout lower", "请重试并等待，或调低 --ttft-timeout 与 --timeout"},
		"check.frames.burst": {
			"the whole answer came at once, in %d frames: something on the way holds the stream back, so TTFT is the time of all of it",
			"整个回答（%d 个数据帧）同时到达：途中有环节缓冲了整个流，TTFT 实为整个回答的时间"},
		"check.frames.clumped": {
			"frames came in clumps: something on the way collects them before it sends them on",
			"数据帧成批到达：途中有环节攒够一批才转发"},

		// What stands in the way, and the cure.
		"check.failed":      {"%s: %s", "%s：%s"},
		"check.no_words":    {"it gives no reason", "未说明原因"},
		"check.encode":      {"the request can't be put into this API's form: %s", "请求无法写成该 API 的格式：%s"},
		"check.encode.hint": {"look at --temperature and --extra", "请检查 --temperature 和 --extra"},
		"check.emit":        {"the record of the request can't be kept: %s", "无法保存该请求的记录：%s"},
		"check.emit.hint":   {"make room on the disk or choose another place with --out", "请腾出磁盘空间，或用 --out 指定其他位置"},

		"check.resolve.failed":      {"the name %s is not known", "域名 %s 无法解析"},
		"check.resolve.trouble":     {"the name %s can't be resolved: %s", "域名 %s 解析出错：%s"},
		"check.resolve.failed.hint": {"check the spelling of the host in --url, and this machine's DNS and VPN", "请检查 --url 中的主机名是否拼写正确，以及本机的 DNS 与 VPN"},
		"check.connect.refused":     {"nothing listens at %s: the connection was refused", "%s 上没有服务在监听：连接被拒绝"},
		"check.connect.refused.hint": {
			"check that the server is running and that --url has its port (now %s); in a container, 127.0.0.1 is the container itself",
			"请确认服务已启动，且 --url 中的端口（当前为 %s）正确；在容器内，127.0.0.1 指的是容器自身"},
		"check.connect.timeout": {"no connection to %s within %s", "未能在 %[2]s 内连接到 %[1]s"},
		"check.connect.timeout.hint": {
			"check host and port in --url, firewall and VPN; --connect-timeout sets how long to wait",
			"请检查 --url 中的主机和端口，以及防火墙与 VPN；等待时长由 --connect-timeout 设置"},
		"check.connect.failed":     {"no connection to %s: %s", "无法连接 %s：%s"},
		"check.tls.authority":      {"the certificate of %s is signed by an authority that this machine does not trust", "%s 的证书由本机不信任的机构签发"},
		"check.tls.authority.hint": {"add that authority to the system's certificates, or name its file in SSL_CERT_FILE", "请将该机构加入系统证书，或用环境变量 SSL_CERT_FILE 指定其证书文件"},
		"check.tls.name":           {"the certificate is for another name than %s", "证书所属的域名不是 %s"},
		"check.tls.name.hint":      {"use in --url the host name that the certificate is for", "请在 --url 中使用证书对应的域名"},
		"check.tls.expired":        {"the certificate of %s is expired, or not valid yet", "%s 的证书已过期或尚未生效"},
		"check.tls.expired.hint":   {"renew it, and check the clock of this machine", "请更新证书，并检查本机时钟"},
		"check.tls.plain":          {"%s does not speak TLS", "%s 不支持 TLS"},
		"check.tls.plain.hint":     {"it may be plain HTTP: use --url %s with the same path", "可能是明文 HTTP：请改用 --url %s，路径不变"},
		"check.tls.failed":         {"the TLS handshake with %s failed: %s", "与 %s 的 TLS 握手失败：%s"},
		"check.tls.failed.hint":    {"check that the port in --url speaks TLS, and that no proxy is in between", "请确认 --url 中的端口支持 TLS，且中间没有代理"},

		"check.key.unset":      {"the endpoint wants a key, and %s is not set or empty (HTTP %d)", "接口要求密钥，而环境变量 %s 未设置或为空（HTTP %d）"},
		"check.key.unset.hint": {"set it: export %s=…, or name another variable with --key-env, or a file with --key-file", "请设置：export %s=…，或用 --key-env 指定其他变量，或用 --key-file 指定文件"},
		"check.key.empty":      {"the endpoint wants a key, and the file %s holds none (HTTP %d)", "接口要求密钥，而文件 %s 中没有密钥（HTTP %d）"},
		"check.key.empty.hint": {"name the variable that holds the key with --key-env, or its file with --key-file", "请用 --key-env 指定存放密钥的环境变量，或用 --key-file 指定密钥文件"},
		"check.key.missing":    {"the endpoint wants a key, and none was given (HTTP %d)", "接口要求密钥，但没有提供（HTTP %d）"},
		"check.key.refused":    {"the key from %s is not accepted (HTTP %d): %s", "来自 %s 的密钥不被接受（HTTP %d）：%s"},
		"check.key.refused_header": {
			"the key in the plan's headers is not accepted (HTTP %d): %s",
			"计划请求头中的密钥不被接受（HTTP %d）：%s"},
		"check.key.space.hint": {
			"the key from %s had white space around it, which was left out: copy it again, whole and alone",
			"来自 %s 的密钥首尾有空白字符，已去除：请重新完整复制密钥"},

		"check.model.unnamed":      {"no model was named, and the endpoint does not list its models", "没有指定模型，接口也不提供模型列表"},
		"check.model.unnamed.hint": {"name one with --model", "请用 --model 指定"},
		"check.model.no_list":      {"no model was named, and the list of models did not come: %s", "没有指定模型，也没能取得模型列表：%s"},
		"check.model.none":         {"no model was named, and the endpoint lists none", "没有指定模型，接口也没有列出任何模型"},
		"check.model.none.hint": {
			"load a model on the server, or name one with --model; the key may have no model it may use",
			"请在服务端加载模型，或用 --model 指定；也可能是该密钥没有可用的模型"},
		"check.model.several":      {"no model was named, and the endpoint lists %d", "没有指定模型，而接口列出了 %d 个"},
		"check.model.several.hint": {"name one with --model: %s", "请用 --model 指定其一：%s"},
		"check.model.near":         {"did you mean --model %s? the endpoint lists: %s", "是否想用 --model %s？接口列出的有：%s"},

		"check.path.models": {"the API is not at %s", "API 不在 %s 处"},
		"check.path.use":    {"use --url %s", "请使用 --url %s"},
		"check.path.there":  {"the API seems to be at --url %s: it refused the same request for another reason", "API 很可能在 --url %s：那里以其他原因拒绝了同一请求"},

		"check.max_tokens_field": {"the server wants another name for the limit: --max-tokens-field %s", "服务端要求使用另一个字段名：--max-tokens-field %s"},
		"check.max_tokens_size":  {"change the limit with --max-tokens", "请用 --max-tokens 调整上限"},
		"check.temperature":      {"leave --temperature out, or give it a value that this model allows", "请去掉 --temperature，或改为该模型允许的值"},
		"check.stream_options": {
			"the server does not know stream_options: leave it out with --extra stream_options=null; usage will be missing then",
			"服务端不认识 stream_options：请用 --extra stream_options=null 去掉，但这样就没有用量"},
	})
}
