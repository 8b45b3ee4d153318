package text

func init() {
	add(map[string]Entry{
		"transcript.at":           {"%s:%d: %s", "%s 第 %d 行：%s"},
		"transcript.hint":         {"the package comment of sim/transcript describes the format", "格式说明见 sim/transcript 的包注释"},
		"transcript.bad_string":   {"a string does not end, or has an unknown escape", "字符串没有结束，或含有无法识别的转义"},
		"transcript.not_number":   {"%q is not a number that fits here", "%q 不是此处可用的数字"},
		"transcript.too_large":    {"the transcript sends too much", "脚本发送的数据过多"},
		"transcript.no_case":      {"a file begins with a case", "文件必须以 case 开头"},
		"transcript.unknown_line": {"no line begins with %q", "没有以 %q 开头的行"},
		"transcript.unknown_item": {"nothing is sent by the name %q", "没有名为 %q 的发送内容"},
		"transcript.unknown_want": {"nothing is reported by the name %q", "没有名为 %q 的报告项"},
		"transcript.needs":        {"%s takes %d more words", "%s 之后需要 %d 个词"},
		"transcript.value":        {"%s can't be %q", "%s 不能是 %q"},
		"transcript.twice":        {"the name %s is taken", "名称 %s 已被使用"},
		"transcript.no_moment":    {"%s sends nothing", "%s 没有发送任何内容"},
		"transcript.nothing_sent": {"a moment at which nothing is sent", "该时刻没有发送任何内容"},
		"transcript.backwards":    {"this moment lies before the last one", "该时刻早于上一个时刻"},
		"transcript.no_head":      {"%s comes before HEAD", "%s 出现在 HEAD 之前"},
		"transcript.after":        {"%s can't follow %s", "%s 不能出现在 %s 之后"},
		"transcript.no_file":      {"the file %s can't be read", "无法读取文件 %s"},
	})
}
