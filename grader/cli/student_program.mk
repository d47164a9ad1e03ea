# `make` compiles the program @LAB@, `make check` tests it the way it will be graded.
NVCC ?= nvcc
WARPGRADE ?= warpgrade

@LAB@: @LAB@.cu
	$(NVCC) -cudart shared -lineinfo -Xcompiler=-g1 -std=@STANDARD@ --extended-lambda -I @WB@ $< -o $@

.PHONY: check clean
check:
	$(WARPGRADE) check @LAB@ @LAB@.cu --html feedback.html

clean:
	rm -f @LAB@ feedback.html
