# `make` compiles @LAB@.cu, `make check` tests it the way it will be graded.
NVCC ?= nvcc
WARPGRADE ?= warpgrade

@LAB@.o: @LAB@.cu @LAB@.h
	$(NVCC) -c -cudart shared -lineinfo -gencode @TARGET@ -Xcompiler=-g1 -std=@STANDARD@ --extended-lambda $< -o $@

.PHONY: check clean
check:
	$(WARPGRADE) check @LAB@ @LAB@.cu --html feedback.html

clean:
	rm -f @LAB@.o feedback.html
