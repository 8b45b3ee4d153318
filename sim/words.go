package sim

import "strings"

// words are what answers are made of, one a token: sentences that begin anew
// when they are through. None holds a character that JSON escapes.
var words = map[bool][]string{
	false: cutWords(` The tide comes in slowly and goes out again , and what it leaves behind can be counted .` +
		` A pilot who knows the hour of high water knows how much the harbour can carry , and no more than that .` +
		` Every mark on the wall was cut by someone who waited , looked twice and wrote down what was there .`),
	true: cutWords(` 潮水 慢慢 地 涨 上来 ， 又 慢慢 地 退 下去 ， 留下 的 东西 都 可以 数 得 清楚 。` +
		` 熟悉 潮汐 的 领航 员 知道 港口 在 高潮 时 能 承载 多少 ， 也 知道 不能 再 多 。` +
		` 墙 上 的 每 一道 刻痕 ， 都是 有人 守候 、 看过 两遍 、 如实 记下 的 。`),
}

// cutWords cuts at blanks. English words keep the one before them.
func cutWords(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		if w[0] < 0x80 && w != "," && w != "." {
			w = " " + w
		}
		out = append(out, w)
	}
	return out
}

// word is token k of an answer that begins at word start.
func word(list []string, start, k int) string {
	w := list[(start+k)%len(list)]
	if k == 0 && w[0] == ' ' {
		return w[1:]
	}
	return w
}
