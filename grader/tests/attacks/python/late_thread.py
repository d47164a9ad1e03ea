# tries:   a thread goes on writing the sums after the function has returned
# holds:   outputs are those of the end of the call, and then read-only
# becomes: nothing
# flag:    unusual-import
import threading
import time


def vecadd(a, b, c):
    sums = a + b

    def write():
        for _ in range(400):
            c[:] = sums
            time.sleep(0.001)

    threading.Thread(target=write, daemon=True).start()
