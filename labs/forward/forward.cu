// The forward pass of a network, as a program: see README.md for the files and the formulas.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Sizes {
  int batch, channels, height, width, maps1, mask1, maps2, mask2, hidden, classes;
};

// The ten numbers of the command line, in this order.
static Sizes read_sizes(int argc, char** argv) {
  // TODO 1: without ten numbers, or if a mask does not fit, print a line that begins with "usage: "
  // to standard output and exit with code 2. Only the batch may be 0. How large is a map to which
  // the second mask is applied?
  int size[10] = {};
  for (int i = 0; i < 10 && i + 1 < argc; ++i) size[i] = std::atoi(argv[i + 1]);
  return {size[0], size[1], size[2], size[3], size[4], size[5], size[6], size[7], size[8], size[9]};
}

// Reads `count` floats of a file to host memory.
static void read_floats(const char* name, float* to, size_t count) {
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr || std::fread(to, sizeof(float), count, file) != count) {
    std::fprintf(stderr, "%s: cannot read %zu floats\n", name, count);
    std::exit(1);
  }
  std::fclose(file);
}

// Writes probabilities.bin and classes.txt from `batch` rows in host memory.
static void write_results(const float* probabilities, int batch, int classes) {
  std::FILE* binary = std::fopen("probabilities.bin", "wb");
  std::FILE* text = std::fopen("classes.txt", "w");
  if (binary == nullptr || text == nullptr) {
    std::fprintf(stderr, "cannot write the results\n");
    std::exit(1);
  }
  std::fwrite(probabilities, sizeof(float), static_cast<size_t>(batch) * classes, binary);
  for (int b = 0; b < batch; ++b) {
    // TODO 2: which class has the largest probability?
    std::fprintf(text, "%d\n", 0);
  }
  std::fclose(binary);
  std::fclose(text);
}

// TODO 3: the kernels. Begin with one thread per value: a convolution, a kernel that pools and
// applies the sigmoid, a fully connected layer, a softmax. The first three are used twice, so they
// need the sizes as parameters.

int main(int argc, char** argv) {
  const Sizes sizes = read_sizes(argc, argv);

  // TODO 4: read images.bin and the eight files of weights. How many floats has each?

  std::vector<float> probabilities(static_cast<size_t>(sizes.batch) * sizes.classes);

  // TODO 5: allocate device memory, copy, launch, check each call and each launch, copy the
  // probabilities back, and free everything. What has to be done for 0 images?

  write_results(probabilities.data(), sizes.batch, sizes.classes);
}
