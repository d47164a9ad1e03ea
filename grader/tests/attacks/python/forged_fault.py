# tries:   reads the nonce in the memory of the process, and writes a record in which the harness could not
#          begin, in place of the harness's and at its end
# holds:   the record can only be appended to, and a fault after the submission's code began is its own
# becomes: nothing
# flag:    unusual-import
import fcntl
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


def attempt(function, *arguments):
    try:
        print("succeeded:", function.__name__, function(*arguments))
    except OSError:
        pass


def write_anew(text):
    with open("record.txt", "w") as record:
        record.write(text)


def write_through(descriptor, text):
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, text.encode())


def vecadd(a, b, c):
    found = [nonce.decode() for nonce in nonces()]
    text = "started\n" + "".join(f"fault {nonce} no CUDA device\n" for nonce in found)
    attempt(write_anew, text)
    attempt(os.truncate, "record.txt", 0)
    attempt(os.remove, "record.txt")
    attempt(os.rename, "record.txt", "other.txt")
    for descriptor in range(3, 64):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith("record.txt"):
            attempt(os.ftruncate, descriptor, 0)
            attempt(fcntl.fcntl, descriptor, fcntl.F_SETFL, 0)
            attempt(write_through, descriptor, text + "".join(f"done {nonce}\n" for nonce in found))
    os._exit(70)
