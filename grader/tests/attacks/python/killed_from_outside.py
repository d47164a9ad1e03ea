# tries:   sends itself SIGKILL, and then exits with the code by which the sandbox reports that
# holds:   a program in the sandbox can do neither: both stand for an end from outside, which costs nothing
# becomes: nothing
# flag:    unusual-import
import os
import signal


def vecadd(a, b, c):
    c[:] = a + b
    for end in (lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: signal.raise_signal(signal.SIGKILL)):
        try:
            end()
        except OSError:
            pass
    os._exit(137)
