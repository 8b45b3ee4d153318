package text

func init() {
	add(map[string]Entry{
		"trace.file":        {"%s: %s", "%s：%s"},
		"trace.line":        {"%s, line %d: %s", "%s 第 %d 行：%s"},
		"trace.open":        {"the trace %s can't be opened: %s", "无法打开轨迹文件 %s：%s"},
		"trace.open.hint":   {"check the path, and that you may read it", "请检查路径以及读取权限"},
		"trace.read":        {"it can't be read: %s", "无法读取：%s"},
		"trace.empty":       {"the trace %s holds no request", "轨迹文件 %s 中没有请求"},
		"trace.empty.hint":  {"a trace is CSV with a line of names, or JSON lines", "轨迹文件应为带表头的 CSV 或 JSON Lines"},
		"trace.slice":       {"the trace %s has no request between %v and %v", "轨迹文件 %s 在 %v 与 %v 之间没有请求"},
		"trace.slice.hint":  {"the slice is on the trace's own clock, from its first request; it has %d requests in all", "slice 使用轨迹自身的时间，从第一个请求算起；全部共有 %d 个请求"},
		"trace.column":      {"there is no column for %s among: %s", "其中没有 %s 列：%s"},
		"trace.column.hint": {"name it: --trace-columns %s=NAME", "请指明列名：--trace-columns %s=NAME"},
		"trace.back":        {"its time lies before that of the line above", "时间早于上一行"},
		"trace.back.hint":   {"sort the trace by its time", "请按时间排序"},
		"trace.length":      {"%d input and %d output tokens can't be asked for", "无法请求 %d 个输入 token 与 %d 个输出 token"},
		"trace.length.hint": {"both must be from 1 to %d; leave out requests that failed", "两者都必须在 1 到 %d 之间；请去掉失败的请求"},
		"trace.time":        {"%q is no time", "%q 不是时间"},
		"trace.time.hint":   {"a number, or a date such as 2023-11-16 18:17:03.979", "应为数字，或 2023-11-16 18:17:03.979 这样的日期时间"},
		"trace.number":      {"%[2]q is no number for %[1]s", "%[1]s 的值 %[2]q 不是数字"},
		"trace.number.hint": {"lengths are whole numbers of tokens, blocks a list of whole numbers", "长度为整数 token 数，blocks 为整数列表"},
		"trace.fields":      {"it has more or fewer fields than the line of names", "字段数与表头不一致"},
		"trace.csv":         {"it is no CSV: %s", "不是 CSV：%s"},
		"trace.csv.hint":    {"a trace is CSV with a line of names, or JSON lines", "轨迹文件应为带表头的 CSV 或 JSON Lines"},
		"trace.json":        {"it is no JSON object", "不是 JSON 对象"},
		"trace.json.hint":   {"JSON lines have one object a line", "JSON Lines 每行一个对象"},
		"trace.long":        {"it is longer than %d MB", "该行超过 %d MB"},
	})
}
