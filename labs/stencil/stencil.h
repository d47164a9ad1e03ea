#pragma once

/// The weights of a cell and of each of its six neighbours. Both are powers of two.
constexpr float kCentre = 0.25f;
constexpr float kNeighbour = 0.125f;

/// One step of a stencil of seven points over a grid in three dimensions. For every inner cell
///
///     out(x, y, z) = kCentre * in(x, y, z)
///                    + kNeighbour * in(x - 1, y, z) + kNeighbour * in(x + 1, y, z)
///                    + kNeighbour * in(x, y - 1, z) + kNeighbour * in(x, y + 1, z)
///                    + kNeighbour * in(x, y, z - 1) + kNeighbour * in(x, y, z + 1)
///
/// and for every cell of the border, whose x is 0 or nx - 1, whose y is 0 or ny - 1 or whose z is 0
/// or nz - 1, out(x, y, z) = in(x, y, z). Cell (x, y, z) is element (z * ny + y) * nx + x of both
/// arrays.
///
/// `in` and `out` are DEVICE pointers to nx * ny * nz floats, aligned to 4 bytes and no more; they
/// do not overlap. The extents are from 0 to 60000, their product is below 2^31; if one is 0 there
/// is nothing to do. Each value is multiplied by its weight before it is added: sums of values
/// could overflow. The order of the additions is free. `in` must be left as it is, and nothing
/// outside `out` may be written. The function need not wait for its kernels.
void stencil(const float* in, float* out, int nx, int ny, int nz);
