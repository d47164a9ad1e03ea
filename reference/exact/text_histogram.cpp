#include "labs/text_histogram/text_histogram.h"

#include <cctype>
#include <string>

#include "reference/exact/exact.h"

/// All bytes, in texts of several lengths that begin at several addresses.
int main() {
  for (const int n : {0, 1, 15, 33, 1000, 70001}) {
    for (const int begin : {0, 1, 13}) {
      std::vector<unsigned char> text(begin + n);
      for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<unsigned char>(i * 7);
      std::vector<unsigned int> want(8);
      for (int i = 0; i < n; ++i) {
        const unsigned char c = text[begin + i];
        ++want[c < 128 && std::isalpha(c) != 0 ? (std::tolower(c) - 'a') / 4 : 7];
      }
      exact::Device<unsigned char> device_text(text);
      exact::Device<unsigned int> bins(std::vector<unsigned int>(8, 7));
      text_histogram(device_text.get() + begin, bins.get(), n);
      exact::require_equal(bins.download(), want,
                           std::to_string(n) + " bytes from " + std::to_string(begin));
    }
  }
}
