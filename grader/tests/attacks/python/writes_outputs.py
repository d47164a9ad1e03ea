# tries:   writes the sums into the files of the outputs and a whole record, and ends the process
# holds:   a submission writes no files, outputs are the device process's, and a record counts with this run's
#          nonce only
# becomes: nothing
# flag:    unusual-import
import os


def attempt(name, mode, content):
    try:
        with open(name, mode) as file:
            file.write(content)
            print("wrote", name)
    except OSError:
        pass


def vecadd(a, b, c):
    sums = (a + b).tobytes()
    for name in ("out-c.bin", "../out-c.bin", "/tmp/out-c.bin"):
        attempt(name, "wb", sums)
    attempt("record.txt", "a", "returned\ndone 00000000000000000000000000000000\n")
    os._exit(0)
