package text

func init() {
	add(map[string]Entry{
		"cli.tidemark": {
			"find the load that an LLM endpoint can really carry",
			"找出大模型接口真正能承受的负载"},
		"cli.tidemark.long": {
			`Tidemark sends real requests to an LLM endpoint at a ladder of concurrencies and
reports, level by level, time to first token, time per output token, latency,
throughput and success, and the level at which the endpoint works best.

  tidemark demo                                   try it: no key, no network
  tidemark check --url https://host/v1            one request, step by step
  tidemark run --url https://host/v1              the ladder 1, 8, 32

Exit codes: 0 fine, 2 wrong flags or plan, 4 the target could not be measured, 5 our own fault or the disk's,
130 interrupted (with a report of what was done).`,
			`Tidemark 按并发阶梯向大模型接口发送真实请求，逐级报告首 token 时间、
每 token 时间、延迟、吞吐和成功率，并指出接口在哪一级表现最好。

  tidemark demo                                   试一试：不需要密钥，不需要网络
  tidemark check --url https://host/v1            只发一个请求，逐步检查
  tidemark run --url https://host/v1              依次以 1、8、32 并发压测

退出码：0 正常；2 参数或计划有误；4 目标无法测量；5 程序自身或磁盘出错；130 被中断（已完成的部分仍有报告）。`},

		"cli.flag.lang":    {"language of texts: en or zh (default: TIDEMARK_LANG, else the locale)", "界面语言：en 或 zh（默认取 TIDEMARK_LANG，否则取系统语言环境）"},
		"cli.flag.plain":   {"no colour, nothing redrawn", "不着色，不重绘"},
		"cli.flag.out":     {"directory for the run's files (default: a new one under the user's data directory)", "存放本次运行文件的目录（默认在用户数据目录下新建）"},
		"cli.flag.force":   {"replace the run that --out holds", "覆盖 --out 目录中已有的运行结果"},
		"cli.flag.dry_run": {"say what would be sent, and send nothing", "只说明将要发送什么，不实际发送"},
		"cli.flag.format":  {"how the report looks: %s", "报告格式：%s"},
		"cli.flag.help":    {"help for this command", "显示本命令的帮助"},

		"cli.run": {"load an endpoint and report what it carried", "对接口进行压测，报告它承受住的负载"},
		"cli.run.long": {
			`Sends one small request first; if that is refused, the run ends there and says
why. Then it climbs a ladder of concurrencies, each level with its own warm-up,
and prints a report. A plan file (YAML) may hold what the flags from --url to
--ignore-preflight say, with underscores for dashes (stream: false for
--no-stream); flags given here win.

The key is read from OPENAI_API_KEY, or from where --key-env or --key-file says;
never from a flag.

Ctrl-C once: nothing new is sent, what is in flight ends, the report is shown.
Ctrl-C twice: everything is cut at once; the records are kept.`,
			`先发送一个小请求；若被拒绝，运行就此结束并说明原因。随后按并发阶梯逐级加压，
每一级各有预热，最后输出报告。从 --url 到 --ignore-preflight 的参数
都可以写入计划文件（YAML），横线换成下划线（--no-stream 写作 stream: false）；
命令行上的参数优先。

密钥从 OPENAI_API_KEY 读取，或由 --key-env、--key-file 指定，绝不从命令行参数读取。

按一次 Ctrl-C：不再发送新请求，等在途请求结束后给出报告。
按两次 Ctrl-C：立即中断所有请求，已有记录会保留。`},
		"cli.run.example": {
			`  tidemark run --url http://127.0.0.1:8000/v1
  tidemark run --url https://host/v1 --model NAME --concurrency 5,10,20,50,100
  tidemark run --provider taotoken --model NAME --prompts prompts.jsonl --out results
  tidemark run plan.yaml --dry-run`,
			`  tidemark run --url http://127.0.0.1:8000/v1
  tidemark run --url https://host/v1 --model NAME --concurrency 5,10,20,50,100
  tidemark run --provider taotoken --model NAME --prompts prompts.jsonl --out results
  tidemark run plan.yaml --dry-run`},
		"cli.demo": {"the same on the built-in simulated endpoint: no key, no network", "对内置的模拟接口做同样的压测：不需要密钥，不需要网络"},
		"cli.demo.long": {
			`Starts the simulated endpoint on this machine's loopback, runs the ladder 1, 8, 32
against it and prints the report. Every figure is simulated: it shows what a
report looks like, not what any real endpoint does.`,
			`在本机回环地址上启动模拟接口，依次以 1、8、32 并发运行并输出报告。
所有数据都是模拟的：只用来展示报告的样子，不代表任何真实接口。`},
		"cli.demo.begin": {"a simulated endpoint on this machine; half a minute at most", "使用本机上的模拟接口；至多半分钟"},
		"cli.check":      {"one small request: key, URL, model, streaming, usage, the answer", "只发一个小请求：检查密钥、地址、模型、流式、用量与回答"},
		"cli.check.long": {
			`Sends one small request and looks at it step by step: name, connection, TLS,
round-trip time, key, model, streaming, usage, terminal signal, frames, and the
answer itself. Where something stands in the way it says the cause and the cure.`,
			`只发送一个小请求，并逐步检查：域名、连接、TLS、往返时间、密钥、模型、流式、
用量、结束信号、数据帧，以及回答本身。遇到问题会说明原因与解决办法。`},
		"cli.check.example": {
			`  tidemark check --url http://127.0.0.1:8000/v1
  tidemark check --provider taotoken --model NAME`,
			`  tidemark check --url http://127.0.0.1:8000/v1
  tidemark check --provider taotoken --model NAME`},
		"cli.report": {"show a recorded run again, in any format", "以任意格式重新展示一次已记录的运行"},
		"cli.report.long": {
			`Computes the report again from the records in DIR, also when the run was killed
and the records end in the middle.`,
			`根据 DIR 中的记录重新计算报告；即使运行被强行终止、记录不完整也可以。`},
		"cli.report.example": {
			`  tidemark report results
  tidemark report results --format json
  tidemark report results --format markdown --lang zh`,
			`  tidemark report results
  tidemark report results --format json
  tidemark report results --format markdown --lang zh`},
		"cli.version": {"version, commit, Go and platform", "版本、提交、Go 版本与平台"},

		"cli.key.header": {"key from a header of the plan", "密钥来自计划中的请求头"},
		"cli.key.from":   {"key from %s", "密钥来自 %s"},
		"cli.key.none":   {"no key: %s is not set", "无密钥：未设置 %s"},
		"cli.dry.model":  {"(the one the endpoint lists)", "（接口列出的那一个）"},
		"cli.path":       {"records and report: %s", "记录与报告：%s"},

		"cli.interrupt.first":  {"stopping: nothing new is sent, waiting for what is in flight (Ctrl-C again: cut at once)", "正在停止：不再发送新请求，等待在途请求结束（再按一次 Ctrl-C 立即中断）"},
		"cli.interrupt.second": {"cutting what is in flight", "正在中断在途请求"},

		"cli.panic":      {"this is a mistake in tidemark: %s", "这是 tidemark 自身的错误：%s"},
		"cli.panic.hint": {"whatever was recorded is kept; TIDEMARK_DEBUG=1 shows where it happened", "已有记录会保留；设置 TIDEMARK_DEBUG=1 可查看出错位置"},
		"cli.disk":       {"can't write to %s: %s", "无法写入 %s：%s"},
		"cli.disk.hint":  {"make room there or choose another place with --out; what was measured until then is shown", "请腾出空间，或用 --out 指定其他位置；此前测得的结果已展示"},

		"cli.lang":          {"unknown language %q", "未知语言 %q"},
		"cli.lang.hint":     {"use --lang en or --lang zh", "请使用 --lang en 或 --lang zh"},
		"cli.flag":          {"%s", "%s"},
		"cli.flag.unknown":  {"there is no flag --%s", "没有参数 --%s"},
		"cli.flag.needs":    {"the flag --%s needs a value", "参数 --%s 需要一个值"},
		"cli.plan.url":      {"%s is a URL, not a plan file", "%s 是 URL，不是计划文件"},
		"cli.plan.url.hint": {"use --url %s", "请使用 --url %s"},
		"cli.warning":       {"warning: %s", "警告：%s"},
		"cli.flag.near":     {"did you mean --%s? `%s --help` lists all flags", "是否想用 --%s？`%s --help` 会列出全部参数"},
		"cli.flag.hint":     {"`%s --help` lists all flags", "`%s --help` 会列出全部参数"},
		"cli.command":       {"there is no command %q", "没有命令 %q"},
		"cli.command.near":  {"did you mean `tidemark %s`?", "是否想用 `tidemark %s`？"},
		"cli.command.hint":  {"`tidemark --help` lists the commands", "`tidemark --help` 会列出全部命令"},
		"cli.args":          {"%s takes no more arguments: %q is one too many", "%s 不接受更多参数：多出了 %q"},
		"cli.args.missing":  {"%s needs %s", "%s 需要 %s"},
		"cli.args.hint":     {"`%s --help` shows how it is used", "`%s --help` 会说明用法"},
		"cli.format":        {"unknown format %q", "未知格式 %q"},
		"cli.format.hint":   {"formats: %s", "可用格式：%s"},
		"cli.plan.read":     {"can't read the plan %s: %s", "无法读取计划文件 %s：%s"},
		"cli.plan.read.hint": {
			"give the path of a YAML file, or flags only: tidemark run --url http://host/v1",
			"请给出 YAML 文件的路径，或只用参数：tidemark run --url http://host/v1"},
		"cli.extra":      {"extra.%s can't be put into JSON: %s", "extra.%s 无法转换为 JSON：%s"},
		"cli.extra.hint": {"extra holds body fields: --extra top_p=0.9", "extra 存放请求体字段，例如 --extra top_p=0.9"},

		"cli.key.unset":      {"no key: %s is not set or is empty", "没有密钥：%s 未设置或为空"},
		"cli.key.unset.hint": {"export %s=…, or say where the key is with --key-env NAME or --key-file FILE", "请先 export %s=…，或用 --key-env NAME、--key-file FILE 指明密钥位置"},
		"cli.key.file":       {"can't read the key file %s: %s", "无法读取密钥文件 %s：%s"},
		"cli.key.file.hint":  {"the file holds the key and nothing else", "该文件应只包含密钥本身"},
		"cli.key.long":       {"the key file %s is too long to be a key", "密钥文件 %s 太长，不像是密钥"},
		"cli.key.empty":      {"the key file %s is empty", "密钥文件 %s 为空"},
		"cli.key.bytes":      {"the key in %s holds white space or characters that no key has", "%s 中的密钥含有空白或非法字符"},
		"cli.key.bytes.hint": {"a key is one word of ASCII; paste it again", "密钥是一串不含空白的 ASCII 字符；请重新粘贴"},

		"cli.out.make":      {"can't use the directory %s: %s", "无法使用目录 %s：%s"},
		"cli.out.make.hint": {"choose another place with --out", "请用 --out 指定其他位置"},
		"cli.out.busy":      {"another run is writing to %s", "另一次运行正在写入 %s"},
		"cli.files":         {"%d requests in flight need more connections than the %d open files this process may have", "%d 个同时进行的请求所需的连接数超过本进程可打开的文件数 %d"},
		"cli.ports":         {"%d requests in flight need more ports than the %d that are free on this machine", "%d 个同时进行的请求所需的端口数超过本机空闲的 %d 个"},
		"cli.ports.hint":    {"widen net.ipv4.ip_local_port_range, or wait until connections of earlier runs have timed out", "请扩大 net.ipv4.ip_local_port_range，或等待先前运行的连接超时释放"},
		"cli.memory":        {"%d requests in flight need about %d MB of memory, and %d MB are free", "%d 个同时进行的请求约需 %d MB 内存，目前空闲 %d MB"},
		"cli.memory.hint":   {"lower the level, or free some memory", "请降低这一级的负载，或释放一些内存"},
		"cli.selftest":      {"what this machine can measure before it becomes the limit", "本机在成为瓶颈之前能测量多少"},
		"cli.selftest.long": {
			"Loads a simulated endpoint, started in a second process on this machine, with ever more streams and ever higher rates, and holds what this program measured against what the endpoint knows it did. Stops above what fails. The result is kept, and a run that goes beyond it says so before it starts. Takes a minute at most.",
			"在本机另起一个进程运行模拟接口，以越来越多的流和越来越高的速率加压，并将本程序的测量结果与接口的实际行为对照；失败之后不再升高。结果会保存下来，超出它的运行会在开始前给出提示。最多需要一分钟。"},
		"cli.selftest.example":    {"  tidemark selftest\n  tidemark selftest --streams 100,1000,2000", "  tidemark selftest\n  tidemark selftest --streams 100,1000,2000"},
		"cli.selftest.streams":    {"numbers of streams to try, rising (alone: no rates)", "要尝试的流数，依次递增（单独给出时不测速率）"},
		"cli.selftest.rates":      {"requests per second to try, rising (alone: no streams)", "要尝试的每秒请求数，依次递增（单独给出时不测流数）"},
		"cli.selftest.json":       {"the result as JSON", "以 JSON 输出结果"},
		"cli.selftest.begin":      {"Trying what this machine can measure, for a minute at most.", "正在测试本机的测量能力，最多一分钟。"},
		"cli.selftest.order":      {"%s is out of range or not higher than the one before", "%s 超出范围，或不大于前一个"},
		"cli.selftest.order.hint": {"give rising numbers, such as 100,500,1000", "请给出递增的数，例如 100,500,1000"},
		"cli.beyond":              {"%d streams go beyond what this machine could measure in its self-test of %s: %d", "%d 路流超出了本机在 %s 自检中能准确测量的 %d 路"},
		"cli.beyond_rate":         {"%.0f requests/s go beyond what this machine could measure in its self-test of %s: %.0f", "每秒 %.0f 个请求超出了本机在 %s 自检中能准确测量的每秒 %.0f 个"},
		"cli.capped":              {"at most %d requests may be in flight; at level %s about %d will be, so the cap will hold some back", "最多允许 %d 个请求同时进行；%s 这一级约需 %d 个，因此部分请求会被推迟"},
		"cli.mix":                 {"the mix names %q, which is neither a model nor a workload of this plan", "mix 中的 %q 既不是本计划的模型也不是工作负载"},
		"cli.mix.hint":            {"known are: %s", "可用的有：%s"},
		"cli.flag.allow_invalid":  {"exit 0 although the figures describe the client; the report says so all the same", "即使结果反映的是客户端也以 0 退出；报告仍会如实说明"},
		"cli.files.hint":          {"raise the limit first: ulimit -n %d", "请先提高上限：ulimit -n %d"},
		"cli.out.file":            {"%s is a file, not a directory", "%s 是文件，不是目录"},
		"cli.out.exists":          {"%s is there already and is not empty", "%s 已存在且非空"},
		"cli.out.exists.hint":     {"choose another --out, or replace the run in it with --force", "请换一个 --out，或用 --force 覆盖其中的运行结果"},
		"cli.out.home":            {"no home directory to keep the run in", "找不到用于存放运行结果的主目录"},
		"cli.out.home.hint":       {"say where with --out DIR, or set XDG_DATA_HOME", "请用 --out DIR 指定，或设置 XDG_DATA_HOME"},

		"cli.report.none":      {"there is no run in %s", "%s 中没有运行记录"},
		"cli.report.none.hint": {"give the directory that a run named in its last line", "请给出运行结束时最后一行所示的目录"},
		"cli.report.read":      {"can't read the run in %s: %s", "无法读取 %s 中的运行记录：%s"},
		"cli.report.read.hint": {"the file is damaged, or a newer version wrote it; what could be read before that point is shown", "文件已损坏，或由更新的版本写入；损坏处之前可读的部分已展示"},

		"cli.sim": {"serve the simulated endpoint", "启动模拟接口"},
		"cli.sim.long": {
			`Serves a simulated endpoint that speaks the Chat Completions API: a batching
engine whose figures bend under load as a real one's do, or with --ttft and --itl a
fixed schedule. Faults can be asked for. GET /sim/truth says what it really sent.
It listens on loopback only, unless --any-address is given.`,
			`启动一个兼容 Chat Completions API 的模拟接口：
默认是随负载变化的批处理引擎，给出 --ttft 与 --itl 时则按固定时间表输出。
可按需注入故障。GET /sim/truth 返回它实际发送的情况。
除非给出 --any-address，否则只监听回环地址。`},
		"cli.sim.example": {
			`  tidemark sim --addr 127.0.0.1:9000 --ttft 100ms --itl 10ms
  tidemark sim --addr 127.0.0.1:9000 --slots 16 --fault 429:rate=0.05`,
			`  tidemark sim --addr 127.0.0.1:9000 --ttft 100ms --itl 10ms
  tidemark sim --addr 127.0.0.1:9000 --slots 16 --fault 429:rate=0.05`},
		"cli.sim.faults":       {"Faults (KIND[:every=N][:rate=SHARE][:after=TOKENS][:wait=DURATION]):", "故障（KIND[:every=N][:rate=比例][:after=token数][:wait=时长]）："},
		"cli.sim.addr":         {"address to listen on; port 0 takes a free one", "监听地址；端口 0 表示自动选择空闲端口"},
		"cli.sim.any":          {"allow an address that other machines can reach", "允许监听其他机器可访问的地址"},
		"cli.sim.model":        {"models to serve, comma-separated (default %s)", "提供的模型，用逗号分隔（默认 %s）"},
		"cli.sim.key_env":      {"variable that holds the key requests must bring (default: none is asked for)", "存放请求须携带的密钥的环境变量（默认不要求密钥）"},
		"cli.sim.key_env.hint": {"set it, or leave --key-env out: then no key is asked for", "请设置该变量，或去掉 --key-env（即不要求密钥）"},
		"cli.sim.ttft":         {"fixed schedule: first token this long after the request arrived", "固定时间表：请求到达后多久给出首 token"},
		"cli.sim.itl":          {"fixed schedule: time between tokens", "固定时间表：相邻 token 的间隔"},
		"cli.sim.slots":        {"engine: requests computed at once (default 12)", "引擎：同时计算的请求数（默认 12）"},
		"cli.sim.kv":           {"engine: tokens that fit at once (default 65536)", "引擎：可同时容纳的 token 数（默认 65536）"},
		"cli.sim.max_tokens":   {"length of an answer whose request names no limit (default 128)", "请求未限定长度时的回答长度（默认 128）"},
		"cli.sim.seed":         {"seed of words and of the faults' rates", "用词与故障比例的随机种子"},
		"cli.sim.fault":        {"a fault, as below; repeatable", "注入一种故障，写法见上；可重复"},
		"cli.sim.transcript":   {"play the transcripts of a file instead; repeatable", "改为播放文件中的脚本；可重复"},
		"cli.sim.read":         {"can't read %s: %s", "无法读取 %s：%s"},
		"cli.sim.read.hint":    {"give the path of a transcript file", "请给出脚本文件的路径"},
		"cli.sim.parse":        {"no transcript: %s", "脚本有误：%s"},
		"cli.sim.serving":      {"simulated endpoint: http://%s/v1 (models: %s); Ctrl-C ends it", "模拟接口：http://%s/v1（模型：%s）；按 Ctrl-C 结束"},
	})
}
