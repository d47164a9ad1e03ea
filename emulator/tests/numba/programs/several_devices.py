"""Several devices (`warpsim --devices 2`) and host threads"""
# warpsim: --devices 2
import threading

import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def add(values, number):
    i = cuda.grid(1)
    if i < values.size:
        values[i] += number


assert len(cuda.gpus) == 2
results = [None, None]


def work(number):
    with cuda.gpus[number]:
        values = cuda.to_device(np.zeros(100, dtype=np.int32))
        add[2, 64](values, number + 1)
        results[number] = values.copy_to_host()


threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for number in range(2):
    np.testing.assert_array_equal(results[number], number + 1)
