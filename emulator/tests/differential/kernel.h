#pragma once

#include "emulator/tests/differential/suite.h"

// Registers hand-written kernels with a model of the whole grid.

namespace differential {

/// The shape of a launch.
struct Shape {
  dim3 grid = 1, block = 1;
  std::size_t shared = 0;  // dynamic, in bytes
};

/// Registers `kernel(out, in, n)` over the input; `model(in)` computes all of `out` on the host.
/// @param outputs  elements of `out`; those that the kernel leaves alone read as zero bytes
template <class R, class A, class Model>
void add_kernel(Suite& suite, std::string name, void (*kernel)(R*, const A*, int), Shape shape,
                std::vector<A> in, std::size_t outputs, Model model, Tolerance tolerance = kExact) {
  suite.add(std::move(name), [=] {
    const testing::Buffer<A> device_in(in);
    testing::Buffer<R> out(outputs);
    out.fill_bytes(0);
    kernel<<<shape.grid, shape.block, shape.shared>>>(out.get(), device_in.get(), int(in.size()));
    FINISH_LAUNCH();
    std::vector<R> want(outputs);
    model(in, want);
    require_agreement(out.download(), want, tolerance);
  });
}

}  // namespace differential
