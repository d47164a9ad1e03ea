"""Random numbers: `xoroshiro128p`, uniform and normal, repeatable by seed"""
import numpy as np
from numba import cuda
from numba.cuda.random import (
    create_xoroshiro128p_states, xoroshiro128p_normal_float64, xoroshiro128p_uniform_float32)


@cuda.jit(lineinfo=True)
def estimate_pi(states, points, out):
    i = cuda.grid(1)
    inside = 0
    for _ in range(points):
        x = xoroshiro128p_uniform_float32(states, i)
        y = xoroshiro128p_uniform_float32(states, i)
        if x * x + y * y <= 1:
            inside += 1
    out[i] = 4 * inside / points


@cuda.jit(lineinfo=True)
def normals(states, out):
    i = cuda.grid(1)
    out[i] = xoroshiro128p_normal_float64(states, i)


def run(seed):
    states = create_xoroshiro128p_states(256, seed=seed)
    out = np.zeros(256)
    estimate_pi[4, 64](states, 200, out)
    return out


assert abs(run(1).mean() - np.pi) < 0.02
np.testing.assert_array_equal(run(2), run(2))
assert (run(2) != run(3)).any()
values = np.zeros(1024)
normals[4, 256](create_xoroshiro128p_states(1024, seed=5), values)
assert abs(values.mean()) < 0.15 and abs(values.std() - 1) < 0.1
