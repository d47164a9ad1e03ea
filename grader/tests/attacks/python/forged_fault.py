# tries:   reads the nonce in the memory of the process and reports an error of the harness, or a complete record
# holds:   a fault after the submission's code began is not an internal error, and the outputs are the device's
# becomes: nothing
# flag:    unusual-import
import os
import re


def nonces():
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            if "rw-p" not in line or "[heap]" not in line:
                continue
            first, last = (int(x, 16) for x in line.split()[0].split("-"))
            memory.seek(first)
            yield from set(re.findall(rb"\b[0-9a-f]{32}\b", memory.read(last - first)))


def vecadd(a, b, c):
    try:
        found = [nonce.decode() for nonce in nonces()]
    except OSError:
        found = []
    with open("record.txt", "a") as record:
        for nonce in found:
            record.write(f"fault {nonce} no CUDA device\n")
        record.write("returned\n")
        for nonce in found:
            record.write(f"done {nonce}\n")
    os._exit(70)
