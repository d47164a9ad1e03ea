#include "labs/stencil/stencil.h"

#include "reference/exact/exact.h"

namespace {

struct Shape {
  int nx, ny, nz;
};

std::vector<float> updated(const std::vector<float>& in, Shape s) {
  std::vector<float> out = in;
  const int plane = s.nx * s.ny;
  for (int z = 1; z < s.nz - 1; ++z) {
    for (int y = 1; y < s.ny - 1; ++y) {
      for (int x = 1; x < s.nx - 1; ++x) {
        const int i = z * plane + y * s.nx + x;
        out[i] = kCentre * in[i] + kNeighbour * (in[i - 1] + in[i + 1] + in[i - s.nx] +
                                                 in[i + s.nx] + in[i - plane] + in[i + plane]);
      }
    }
  }
  return out;
}

}  // namespace

int main() {
  for (const Shape s : {Shape{1, 1, 1}, {0, 4, 4}, {4, 3, 3}, {33, 17, 9}, {64, 20, 40}}) {
    const auto in = exact::numbers(static_cast<std::size_t>(s.nx) * s.ny * s.nz, 1000, 1);
    exact::Device<float> device_in(in), out(std::vector<float>(in.size(), 7));
    stencil(device_in.get(), out.get(), s.nx, s.ny, s.nz);
    exact::require_equal(
        out.download(), updated(in, s),
        std::to_string(s.nx) + " x " + std::to_string(s.ny) + " x " + std::to_string(s.nz));
  }
}
