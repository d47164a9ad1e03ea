# `make check` tests @FILE@ the way it will be graded.
WARPGRADE ?= warpgrade

.PHONY: check clean
check:
	$(WARPGRADE) check @LAB@ @FILE@ --html feedback.html

clean:
	rm -f feedback.html
