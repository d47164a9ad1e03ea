"""Random numbers: `curandom.rand` and the generators of cuRAND"""
import numpy as np
import pycuda.autoinit
from pycuda import curandom

values = curandom.rand((1000,)).get()
assert 0 <= values.min() and values.max() < 1 and 0.4 < values.mean() < 0.6
generator = curandom.XORWOWRandomNumberGenerator()
normal = generator.gen_normal(2000, np.float32).get()
assert abs(normal.mean()) < 0.2 and 0.8 < normal.std() < 1.2
uniform = generator.gen_uniform(2000, np.float64).get()
assert 0 < uniform.min() and uniform.max() <= 1
