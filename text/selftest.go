package text

func init() {
	add(map[string]Entry{
		"selftest.start": {
			"the simulated endpoint can't be started (%s): %s",
			"无法启动模拟接口（%s）：%s"},
		"selftest.start.hint": {
			"it is this program, run once more as sim; see whether that works by hand",
			"模拟接口就是以 sim 方式再次运行的本程序；请手动运行 sim，看能否启动"},
		"selftest.silent": {
			"the simulated endpoint (%s) did not say where it listens: %s",
			"模拟接口（%s）没有说明监听地址：%s"},
		"selftest.truth": {
			"the simulated endpoint does not tell what it sent: %s",
			"无法从模拟接口取得它实际发送的内容：%s"},
		"selftest.truth.hint": {
			"it may have been ended from outside, or have run out of memory; try again, or with fewer streams",
			"它可能被外部终止，或内存不足；请重试，或减少并发流数"},
		"selftest.save": {
			"the result can't be saved in %s: %s",
			"无法把结果保存到 %s：%s"},
		"selftest.save.hint": {
			"see whether the directory can be written and the disk has room",
			"请检查该目录是否可写、磁盘是否还有空间"},
		"selftest.load": {
			"%s holds no result of a self-test that can be read: %s",
			"%s 中没有可读取的自检结果：%s"},
		"selftest.load.hint": {
			"run tidemark selftest again; it writes the file anew",
			"请重新运行 tidemark selftest，它会重写该文件"},
	})
}
