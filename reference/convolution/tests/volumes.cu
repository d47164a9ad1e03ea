// The lab's images are volumes of depth 1. Here the stage for volumes gets real ones, and must give
// what the sum over the whole mask gives.

#include "reference/convolution/stages/04_volume.cu"

#include "emulator/tests/support/program.h"

namespace {

struct Size {
  int depth, height, width;
  [[nodiscard]] int count() const { return depth * height * width; }
};

/// Small integers, so that every order of summation is exact.
std::vector<float> numbers(int count, std::uint64_t seed) {
  std::vector<float> values;
  for (const int x : testing::random_integers(static_cast<std::size_t>(count), 21, seed)) {
    values.push_back(static_cast<float>(x - 10));
  }
  return values;
}

std::vector<float> sums(const std::vector<float>& volume, const std::vector<float>& mask, Size v,
                        Size m) {
  std::vector<float> result;
  for (int z = 0; z < v.depth; ++z) {
    for (int y = 0; y < v.height; ++y) {
      for (int x = 0; x < v.width; ++x) {
        float sum = 0;
        for (int i = 0; i < m.count(); ++i) {
          const int zz = z + i / (m.height * m.width) - m.depth / 2;
          const int yy = y + i / m.width % m.height - m.height / 2;
          const int xx = x + i % m.width - m.width / 2;
          const bool inside =
              zz >= 0 && zz < v.depth && yy >= 0 && yy < v.height && xx >= 0 && xx < v.width;
          if (inside) {
            sum += mask[static_cast<std::size_t>(i)] *
                   volume[static_cast<std::size_t>((zz * v.height + yy) * v.width + xx)];
          }
        }
        result.push_back(sum);
      }
    }
  }
  return result;
}

void check(Size v, Size m) {
  const std::vector<float> volume = numbers(v.count(), 1);
  const std::vector<float> mask = numbers(m.count(), 2);
  testing::Buffer<float> in(volume);
  testing::Buffer<float> weights(mask);
  testing::Buffer<float> out(volume.size());
  convolution_3d(in.get(), weights.get(), out.get(), v.depth, v.height, v.width, m.depth, m.height,
                 m.width);
  testing::expect_equal(out.download(), sums(volume, mask, v, m));
}

void body() {
  check({1, 1, 1}, {1, 1, 1});
  check({4, 9, 33}, {3, 3, 3});
  check({7, 8, 32}, {5, 1, 3});  // as many cells as a block has threads
  check({3, 17, 5}, {7, 5, 9});  // a mask that is deeper and wider than the volume
  check({2, 31, 65}, {1, 3, 5});  // planes that do not mix
  check({11, 1, 40}, {3, 1, 7});
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, body);
}
