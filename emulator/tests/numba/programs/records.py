"""Structured arrays: records as elements and arguments, nested arrays"""
import numpy as np
from numba import cuda, from_dtype

particle = np.dtype([("mass", np.float32), ("position", np.float64, (3,)), ("id", np.int32)],
                    align=True)


@cuda.jit(lineinfo=True)
def move(particles, velocity):
    i = cuda.grid(1)
    if i < particles.size:
        for k in range(3):
            particles[i].position[k] += velocity[k] * particles[i].mass
        particles[i].id = i


@cuda.jit(lineinfo=True)
def mass_of(one, out):
    out[0] = one.mass


particle_type = from_dtype(particle)


@cuda.jit(lineinfo=True)
def in_shared(out):
    tile = cuda.shared.array(32, dtype=particle_type)
    i = cuda.threadIdx.x
    tile[i].id = i
    cuda.syncthreads()
    out[i] = tile[31 - i].id


particles = np.zeros(40, dtype=particle)
particles["mass"] = np.arange(40)
move[2, 32](particles, np.array([1.0, 2.0, -1.0]))
np.testing.assert_array_equal(particles["position"],
                              np.outer(np.arange(40), [1.0, 2.0, -1.0]))
np.testing.assert_array_equal(particles["id"], np.arange(40))
out = np.zeros(1, dtype=np.float32)
mass_of[1, 1](particles[7], out)
assert out[0] == 7
ids = np.zeros(32, dtype=np.int32)
in_shared[1, 32](ids)
np.testing.assert_array_equal(ids, 31 - np.arange(32))
