# tries:   writes the sums into the files of the outputs and a whole record, and ends the process
# holds:   outputs are the device process's; a record counts with this run's nonce only
# becomes: nothing
# flag:    unusual-import
import os

import numpy


def vecadd(a, b, c):
    sums = (a + b).tobytes()
    for name in ("out-c.bin", "../out-c.bin"):
        try:
            with open(name, "wb") as file:
                file.write(sums)
        except OSError:
            pass
    with open("record.txt", "a") as record:
        record.write("returned\ndone 00000000000000000000000000000000\n")
    os._exit(0)
