#include "grader/class/similar/winnow.h"

namespace warpgrade {

std::vector<std::uint64_t> gram_hashes(const std::vector<Token>& tokens) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i + kGram <= tokens.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::size_t j = i; j < i + kGram; ++j) {
      hash = hash * 0x9e3779b97f4a7c15 + tokens[j].hash;
      hash ^= hash >> 29;
    }
    hashes.push_back(hash);
  }
  return hashes;
}

std::vector<Fingerprint> winnow(const std::vector<Token>& tokens) {
  const std::vector<std::uint64_t> hashes = gram_hashes(tokens);
  std::vector<Fingerprint> chosen;
  const std::size_t window = hashes.size() < kWindow ? hashes.size() : kWindow;
  for (std::size_t start = 0; window > 0 && start + window <= hashes.size(); ++start) {
    std::size_t smallest = start;
    for (std::size_t i = start; i < start + window; ++i) {
      if (hashes[i] <= hashes[smallest]) {
        smallest = i;
      }
    }
    if (chosen.empty() || chosen.back().token != smallest) {
      chosen.push_back({hashes[smallest], smallest});
    }
  }
  return chosen;
}

}  // namespace warpgrade
