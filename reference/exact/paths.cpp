#include "labs/paths/paths.h"

#include "reference/exact/exact.h"

/// Samples of 0 and 1 for which curves are exact: all of 0, alpha of 1. A sample that gets another
/// channel's curve differs: red and blue of 1 are less than 1.
int main() {
  for (const int pixels : {0, 1, 7, 63, 64, 65, 255, 257, 5000}) {
    for (int ones = 0; ones < 2; ++ones) {
      std::vector<float> in(4 * pixels), want(4 * pixels);
      for (int i = 3; ones == 1 && i < 4 * pixels; i += 4) in[i] = want[i] = 1;
      exact::Device<float> device_in(in), out(std::vector<float>(4 * pixels, 7));
      apply_curves(device_in.get(), out.get(), pixels);
      exact::require_equal(out.download(), want, std::to_string(pixels) + " pixels");
    }
  }
}
