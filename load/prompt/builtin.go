package prompt

import "strconv"

// Builtin returns the set that is asked where the plan names no file. It is
// the same in every release that has the same report format, so that runs can
// be compared: ordinary questions, English and Chinese in turn, each of which
// takes more than the default answer length to answer well.
func Builtin() *Set {
	g := Group{Name: "default", Prompts: make([]Prompt, len(builtin))}
	for i, question := range builtin {
		g.Prompts[i] = said(question)
		g.Prompts[i].ID = g.Name + "/" + strconv.Itoa(i+1)
	}
	return &Set{Source: "built-in", Groups: []Group{g}}
}

var builtin = [...]string{
	"Explain how ocean tides come about. Cover the Moon, the Sun, the shape of the coast, and why some places have two high tides a day and others only one.",

	"请详细介绍长江三峡的地理形成过程、历史上的航运难题，以及现代水利工程对沿岸生态和居民生活带来的影响。",

	"Write a short story of about six hundred words in which a lighthouse keeper finds a message that was sent forty years ago by somebody with her own name. Give it a beginning, a turn and a quiet ending.",

	"我准备从零开始学习做饭，平时工作比较忙，周末才有整块时间。请帮我制定一份八周的学习计划，每周包括要掌握的技巧、两道练手的菜，以及常见的失误和补救办法。",

	"Compare three ways to store energy from a solar roof for the night: lithium batteries, hot water and compressed air. For each, describe how it works, what it costs over its lifetime, what goes wrong with it, and for which kind of house you would choose it.",

	"请用通俗的语言解释什么是通货膨胀，它是怎样产生的，对普通家庭的储蓄、贷款和日常消费各有什么影响，并举出两个历史上的例子。",

	"Describe step by step what happens between typing an address into a web browser and seeing the page. Mention name resolution, the connection, encryption, the request, caches on the way, and how the page is laid out and drawn.",

	"请写一封信给十年后的自己，谈谈现在的工作、家人和爱好，以及希望那时的自己不要忘记的事情。语气真诚自然，不少于六百字。",

	"A small town of nine thousand people wants fewer cars in its centre without hurting the shops. Propose a plan over three years. Say what to try first, how to measure whether it works, whom to talk to, and what could make people angry and how to answer them.",

	"请比较瑜伽、游泳和慢跑三种运动对身体的不同作用，分别适合什么样的人，初学者应当如何安排每周的训练，又该怎样避免受伤。",

	"Explain the causes of the First World War to a curious fourteen-year-old. Start with the alliances, then nationalism, the arms race and the events of the summer of 1914, and end with what historians still disagree about.",

	"假设你是一家社区书店的店主，最近两年客流明显下降。请从选书、活动、会员、线上渠道和空间布置五个方面提出改进方案，并说明每项方案的成本、见效时间和可能的风险。",

	"Teach me how to keep bees in a garden. Begin with what to learn before buying anything, go through the year month by month, list the tools I need, and explain the three diseases that beginners meet most often and what to do about each.",

	"请讲解关系型数据库中的索引是如何工作的：为什么它能加快查询，什么情况下会失效，联合索引的列顺序为什么重要，以及怎样判断一个索引是否值得建立。请配合具体的例子说明。",

	"Give a detailed review of the arguments for and against a four-day working week, for companies of different sizes and kinds. Use evidence from trials where you know of any, and end with a recommendation for a hospital, a factory and a software company.",

	"请介绍中国茶叶的六大类别，说明它们在采摘、发酵和烘焙工艺上的区别，各自的代表品种和产地，以及不同茶叶适合的水温、器具和冲泡方法。",

	"Explain how vaccines train the immune system. Compare the main kinds of vaccine, say why some need boosters and others protect for life, how safety is tested before and after approval, and why protection of a whole population matters for those who can't be vaccinated.",

	"我的孩子今年八岁，很喜欢问关于宇宙的问题。请用讲故事的方式，依次解释太阳为什么会发光、月亮为什么有圆缺、黑洞是什么，以及人类怎样探索火星，语言要生动有趣。",

	"Write a guide for someone who will give a talk in front of two hundred people for the first time. Cover choosing what to leave out, building the story, slides, rehearsal, nerves, questions from the audience, and what to do when the projector fails.",

	"请分析远程办公对团队协作、个人成长和企业管理的利弊，结合不同行业和岗位的特点，给出一套切实可行的混合办公制度，并说明如何评估它的效果。",

	"Plan a ten-day journey by train through four European countries for two people who like old towns, mountains and good bread, and who would rather stay two nights in a place than one. Describe each day, the reasons for the route, and what to book early.",

	"请以“雨夜的末班车”为题写一篇短篇小说，要求有三个性格不同的人物、一次意外的停车和一个出人意料但合乎情理的结局，注意环境描写和人物对话。",

	"Explain to a new programmer what makes code hard to change, and how to avoid it. Discuss names, functions that do several things, hidden state, tests, and premature abstraction, each with a small example and an improved version of it.",

	"请说明家庭装修从设计到入住的完整流程，列出每个阶段的工作内容、大致用时、预算比例和容易踩的坑，并特别说明水电改造和防水施工应当如何验收。",
}
