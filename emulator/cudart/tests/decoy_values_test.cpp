#include "emulator/cudart/decoy_values.h"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace warpsim::cudart {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
DecoyArray array_of(const std::vector<T>& host, const std::vector<T>& device) {
  return {.name = "x",
          .element_bytes = sizeof(T),
          .is_float = std::is_floating_point_v<T>,
          .host = bytes_of(host),
          .device = bytes_of(device)};
}

/// The replacements of values that are not announced inputs.
template <class T>
std::vector<T> replaced(const std::vector<DecoyArray>& arrays, std::vector<T> values,
                        bool after_results = false) {
  const DecoyValues known(arrays);
  std::vector<std::byte> bytes = bytes_of(values);
  std::vector<std::uint8_t> taken(bytes.size());
  known.replace(bytes, taken, after_results);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Numbers of many digits, and others.
std::vector<float> fractions(int seed) {
  std::vector<float> values(100);
  for (int i = 0; i < 100; ++i) values[i] = std::sin(static_cast<float>(i + seed)) * 0.9F;
  return values;
}
std::vector<int> whole(int first) {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST_CASE("inputs are found in another order, between padding, and one by one", "[cudart][decoy]") {
  const auto host = fractions(1);
  const auto device = fractions(1000);
  const std::vector<DecoyArray> arrays = {array_of(host, device)};
  std::vector<float> values(host.rbegin(), host.rend());
  std::vector<float> want(device.rbegin(), device.rend());
  values.insert(values.begin() + 50, 30, 0.0F);
  want.insert(want.begin() + 50, 30, 0.0F);
  CHECK(replaced(arrays, values) == want);
  CHECK(replaced(arrays, std::vector<float>{host[7]}) == std::vector<float>{device[7]});
}

TEST_CASE("floats are found where they were widened to doubles", "[cudart][decoy]") {
  const auto host = fractions(1);
  const auto device = fractions(1000);
  const std::vector<double> values(host.begin(), host.end());
  const std::vector<double> want(device.begin(), device.end());
  CHECK(replaced({array_of(host, device)}, values) == want);
}

TEST_CASE("other numbers stay as they are", "[cudart][decoy]") {
  const std::vector<DecoyArray> arrays = {array_of(fractions(1), fractions(1000))};
  for (const std::vector<float>& values :
       {fractions(300), std::vector<float>{0, 1, -1, NAN, INFINITY}, std::vector<float>{2, 0.5F}}) {
    const auto after = replaced(arrays, values);
    CHECK(std::memcmp(after.data(), values.data(), values.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("small integers are input data among many of them, or in the order of an input",
          "[cudart][decoy]") {
  const auto host = whole(10);
  const auto device = whole(500);
  const std::vector<DecoyArray> arrays = {array_of(host, device)};
  std::vector<int> values(host.rbegin(), host.rend());
  CHECK(replaced(arrays, values) == std::vector<int>(device.rbegin(), device.rend()));
  CHECK(replaced(arrays, std::vector<int>{20, 21, 22, 23}) == std::vector<int>{510, 511, 512, 513});
  // An extent and a number of bins.
  CHECK(replaced(arrays, std::vector<int>{100, 64}) == std::vector<int>{100, 64});
  CHECK(replaced(arrays, std::vector<int>{100, 64, 30, 12}) == std::vector<int>{100, 64, 30, 12});
}

TEST_CASE("padding between the values of a rearranged input hides none of them",
          "[cudart][decoy]") {
  const auto host = whole(10);
  const auto device = whole(500);
  std::vector<int> values;
  std::vector<int> want;
  for (std::size_t i = 0; i < host.size(); ++i) {
    const std::size_t from = i * 37 % host.size();
    values.insert(values.end(), {host[from], 0, 0, 0, 0, 0, 0, 0});
    want.insert(want.end(), {device[from], 0, 0, 0, 0, 0, 0, 0});
  }
  CHECK(replaced({array_of(host, device)}, values) == want);
  // As many other numbers between them are not padding.
  std::vector<int> mixed(64, 7777);
  for (std::size_t i = 0; i < mixed.size(); i += 8) mixed[i] = host[i];
  CHECK(replaced({array_of(host, device)}, mixed) == mixed);
}

TEST_CASE("counts that the host computed from results are not inputs", "[cudart][decoy]") {
  const std::vector<DecoyArray> arrays = {array_of(whole(10), whole(500))};
  std::vector<int> counts(64);
  for (int i = 0; i < 64; ++i) counts[i] = 40 + i * 7 % 13;
  CHECK(replaced(arrays, counts, true) == counts);
  CHECK(replaced(arrays, whole(10), true) == whole(500));
}

TEST_CASE("a value for which the device has two stays as it is", "[cudart][decoy]") {
  std::vector<float> host = fractions(1);
  host[1] = host[0];
  const std::vector<float> device = fractions(1000);
  const auto after = replaced({array_of(host, device)}, host);
  CHECK(after[0] == host[0]);
  CHECK(after[1] == host[1]);
  CHECK(after[2] == device[2]);
}

TEST_CASE("two floats are not a double, although it would be one of the floats",
          "[cudart][decoy]") {
  // The double whose words are 2.0F and this one is exactly a float, which is an input, too.
  const std::uint64_t words = std::uint64_t{std::bit_cast<std::uint32_t>(1.7310588F)} << 32U |
                              std::bit_cast<std::uint32_t>(2.0F);
  const auto both = static_cast<float>(std::bit_cast<double>(words));
  const std::vector<DecoyArray> arrays = {
      array_of<float>({2.0F, 1.7310588F, both}, {0.3F, 0.7F, 0.9F})};
  CHECK(replaced<double>(arrays, {std::bit_cast<double>(words)}) ==
        std::vector<double>{
            std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(0.7F)} << 32U |
                                  std::bit_cast<std::uint32_t>(2.0F))});
}

TEST_CASE("single values of a small input are found beside a large one", "[cudart][decoy]") {
  const auto weights = fractions(1);
  const auto other_weights = fractions(1000);
  std::vector<float> samples(10'000);
  for (int i = 0; i < 10'000; ++i) samples[i] = std::cos(static_cast<float>(i)) * 0.7F;
  std::vector<float> other_samples = samples;
  for (float& sample : other_samples) sample *= 0.5F;
  const std::vector<DecoyArray> arrays = {array_of(weights, other_weights),
                                          array_of(samples, other_samples)};
  CHECK(replaced<float>(arrays, {weights[2], 0, 0, weights[1], weights[0], 0}) ==
        std::vector<float>{other_weights[2], 0, 0, other_weights[1], other_weights[0], 0});
  // One of ten thousand values may occur by chance.
  CHECK(replaced<float>(arrays, {samples[7], 0, 0}) == std::vector<float>{samples[7], 0, 0});
}

}  // namespace
}  // namespace warpsim::cudart
