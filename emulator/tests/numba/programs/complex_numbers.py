"""Complex numbers: the Mandelbrot set, `cmath`"""
import cmath

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def iterations(c, limit):
    z = 0j
    for i in range(limit):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4:
            return i
    return limit


@cuda.jit(lineinfo=True)
def mandelbrot(image, limit):
    row, column = cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        c = complex(-2 + 3 * column / image.shape[1], -1 + 2 * row / image.shape[0])
        image[row, column] = iterations(c, limit)


@cuda.jit(lineinfo=True)
def exponentials(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] = cmath.exp(values[i])


def model(shape, limit):
    image = np.zeros(shape, dtype=np.int32)
    for row in range(shape[0]):
        for column in range(shape[1]):
            c = complex(-2 + 3 * column / shape[1], -1 + 2 * row / shape[0])
            z = 0j
            image[row, column] = limit
            for i in range(limit):
                z = z * z + c
                if z.real * z.real + z.imag * z.imag > 4:
                    image[row, column] = i
                    break
    return image


image = np.zeros((20, 30), dtype=np.int32)
mandelbrot[(3, 4), (8, 8)](image, 30)
assert (image != model(image.shape, 30)).mean() < 0.01  # fused multiply-adds
values = np.array([1j, 0.5 + 2j, -1], dtype=np.complex128)
expected = np.exp(values)
exponentials[1, 32](values)
np.testing.assert_allclose(values, expected, rtol=1e-13, atol=1e-15)
