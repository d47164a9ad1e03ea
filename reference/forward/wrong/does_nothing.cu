// verdict: fails-correctness
// pitfall: none
// caught-by: case "one pixel"
// Writes zeros, without any work.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

struct Sizes {
  int batch, channels, height, width, maps1, mask1, maps2, mask2, hidden, classes;

  int height1() const { return (height - mask1 + 2) / 2; }  // after pooling
  int width1() const { return (width - mask1 + 2) / 2; }
  int height2() const { return (height1() - mask2 + 2) / 2; }
  int width2() const { return (width1() - mask2 + 2) / 2; }
  int pixels() const { return channels * height * width; }  // of one image
  int results1() const { return maps1 * height1() * width1(); }
  int features() const { return maps2 * height2() * width2(); }
};

static Sizes read_sizes(int argc, char** argv) {
  constexpr int kSizes = 10;
  int size[kSizes] = {};
  bool good = argc == kSizes + 1;
  for (int i = 0; good && i < kSizes; ++i) {
    size[i] = std::atoi(argv[i + 1]);
    good = size[i] >= (i > 0);  // only the batch may be 0
  }
  const Sizes s = {size[0], size[1], size[2], size[3], size[4],
                   size[5], size[6], size[7], size[8], size[9]};
  if (!good || s.mask1 > std::min(s.height, s.width) ||
      s.mask2 > std::min(s.height1(), s.width1())) {
    std::printf(
        "usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES\n"
        "Masks have to fit into the images that they are applied to.\n");
    std::exit(2);
  }
  return s;
}

static void read_floats(const char* name, float* to, size_t count) {
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr || std::fread(to, sizeof(float), count, file) != count) {
    std::fprintf(stderr, "%s: cannot read %zu floats\n", name, count);
    std::exit(1);
  }
  std::fclose(file);
}

static void write_results(const float* probabilities, int batch, int classes) {
  std::FILE* binary = std::fopen("probabilities.bin", "wb");
  std::FILE* text = std::fopen("classes.txt", "w");
  if (binary == nullptr || text == nullptr) {
    std::fprintf(stderr, "cannot write the results\n");
    std::exit(1);
  }
  for (int b = 0; b < batch; ++b) {
    const float* row = probabilities + static_cast<size_t>(b) * classes;
    std::fwrite(row, sizeof(float), classes, binary);
    std::fprintf(text, "%d\n", static_cast<int>(std::max_element(row, row + classes) - row));
  }
  std::fclose(binary);
  std::fclose(text);
}

int main(int argc, char** argv) {
  const Sizes s = read_sizes(argc, argv);
  const std::vector<float> zeros(static_cast<size_t>(s.batch) * s.classes);
  write_results(zeros.data(), s.batch, s.classes);
}
