package text

func init() {
	add(map[string]Entry{
		"prompt.at": {"%[1]s: %[2]s", "%[1]s：%[2]s"},
		"prompt.shapes": {
			`a .txt file has a prompt a line; a .jsonl file a string, {"prompt": "…"} or {"messages": […]} a line; a .json file a list of these, or {"short": […], "long": […]}`,
			`.txt 文件每行一条提示词；.jsonl 文件每行是一个字符串、{"prompt": "…"} 或 {"messages": […]}；.json 文件是这些内容的列表，或按提示词分组书写：{"short": […], "long": […]}`,
		},

		"prompt.missing":         {"no prompt file at %s", "提示词文件不存在：%s"},
		"prompt.missing.hint":    {"check the path; without --prompts the built-in prompts are asked", "请检查路径；不加 --prompts 时使用内置提示词"},
		"prompt.directory":       {"%s is a directory, not a prompt file", "%s 是目录，不是提示词文件"},
		"prompt.directory.hint":  {"name one file in it", "请指定其中的一个文件"},
		"prompt.unreadable":      {"can't read %[1]s: %[2]s", "无法读取 %[1]s：%[2]s"},
		"prompt.unreadable.hint": {"check the file's permissions", "请检查文件权限"},
		"prompt.too_large":       {"%[1]s is larger than %[2]d MiB", "%[1]s 超过 %[2]d MiB"},
		"prompt.too_large.hint":  {"a run asks few of so many prompts: keep a part of the file", "一次压测用不到这么多提示词：请只保留文件的一部分"},
		"prompt.empty_file":      {"%s is empty", "%s 是空文件"},
		"prompt.no_prompt":       {"no prompt in %s", "%s 中没有提示词"},

		"prompt.not_utf8":      {"a byte that is not UTF-8", "存在非 UTF-8 的字节"},
		"prompt.not_utf8.hint": {"save the file as UTF-8", "请将文件另存为 UTF-8 编码"},
		"prompt.line_too_long": {"a line longer than %d MiB", "单行超过 %d MiB"},
		"prompt.line_too_long.hint": {
			"in .txt and .jsonl files each prompt is one line: is a line break missing?",
			".txt 和 .jsonl 文件每行一条提示词，是否漏了换行？",
		},
		"prompt.bad_json": {"not valid JSON: %s", "不是合法的 JSON：%s"},
		"prompt.bad_json.hint": {
			"look for a missing quote, comma or bracket just before this place",
			"请检查此处之前是否缺少引号、逗号或括号",
		},
		"prompt.bad_json.lines_hint": {
			"if each line is a value of its own, end the file's name in .jsonl",
			"如果每行是一个独立的 JSON 值，请把文件扩展名改为 .jsonl",
		},
		"prompt.unknown_shape":    {"neither a prompt nor a list of prompts", "既不是提示词，也不是提示词列表"},
		"prompt.empty":            {"an empty prompt", "提示词为空"},
		"prompt.empty.hint":       {"write what is to be asked, or remove the entry", "请填写要提问的内容，或删除这一项"},
		"prompt.empty_group":      {"group %q has no prompt", "提示词分组 %q 为空"},
		"prompt.empty_group.hint": {"give it one, or remove the group", "请至少放入一条提示词，或删除该分组"},
		"prompt.group_name":       {"a group without a name", "提示词分组没有名称"},
		"prompt.group_name.hint":  {`write it as a text, such as "short"`, `请写成字符串，例如 "short"`},
		"prompt.id":               {"an id that is neither a text nor a number", "id 既不是字符串也不是数字"},
		"prompt.id.hint":          {"write it as a text, or leave it out: prompts are numbered then", "请写成字符串；也可以省略，此时自动编号"},
		"prompt.id_twice":         {"id %[1]q is there twice in group %[2]q", "提示词分组 %[2]q 中 id %[1]q 重复"},
		"prompt.id_twice.hint":    {"give each prompt its own id, or leave ids out", "请让每条提示词的 id 互不相同，或全部省略"},
		"prompt.key_twice":        {"%q is there twice in one object", "同一对象中 %q 重复"},
		"prompt.key_twice.hint":   {"keep one of the two", "请只保留一个"},
		"prompt.two_texts":        {"%[1]q and %[2]q in one entry: which is the prompt?", "同一项中既有 %[1]q 又有 %[2]q，无法确定哪个是提示词"},
		"prompt.two_texts.hint":   {`keep the one that is to be asked, as "prompt"`, `请只保留要提问的那个，并命名为 "prompt"`},
		"prompt.lost":             {"%[1]q beside %[2]q would not be sent", "%[1]q 与 %[2]q 并列时不会被发送"},
		"prompt.lost.hint": {
			`write the entry as a request body with "messages", or set it in the plan for all prompts`,
			`请把这一项写成带 "messages" 的请求体，或在计划中对所有提示词统一设置`,
		},
		"prompt.no_role":      {"a message without a role", "消息缺少 role"},
		"prompt.no_role.hint": {`a message is {"role": "user", "content": "…"}`, `消息的写法是 {"role": "user", "content": "…"}`},
	})
}
