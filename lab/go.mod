module tidemark/lab

go 1.26.0

require tidemark v0.0.0

require (
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/valyala/fastjson v1.6.10 // indirect
)

replace tidemark => ../
