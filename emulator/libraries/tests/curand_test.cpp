#include <cuda_runtime.h>
#include <curand.h>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/libraries/curand/types.h"
#include "emulator/libraries/tests/device_array.h"

// The drop-in libcurand: its numbers, held against those of a card, and its interface.

namespace {

namespace own = warpsim::curand;

static_assert(static_cast<int>(own::Status::type_error) == CURAND_STATUS_TYPE_ERROR);
static_assert(static_cast<int>(own::Status::not_initialized) == CURAND_STATUS_NOT_INITIALIZED);
static_assert(static_cast<int>(own::Status::out_of_range) == CURAND_STATUS_OUT_OF_RANGE);
static_assert(static_cast<int>(own::Status::launch_failure) == CURAND_STATUS_LAUNCH_FAILURE);
static_assert(static_cast<int>(own::Status::internal_error) == CURAND_STATUS_INTERNAL_ERROR);
static_assert(static_cast<int>(own::Status::length_not_multiple) ==
              CURAND_STATUS_LENGTH_NOT_MULTIPLE);
static_assert(static_cast<int>(own::Status::initialization_failed) ==
              CURAND_STATUS_INITIALIZATION_FAILED);
static_assert(static_cast<int>(own::Type::xorwow) == CURAND_RNG_PSEUDO_XORWOW);
static_assert(static_cast<int>(own::Type::mrg32k3a) == CURAND_RNG_PSEUDO_MRG32K3A);
static_assert(static_cast<int>(own::Type::mtgp32) == CURAND_RNG_PSEUDO_MTGP32);
static_assert(static_cast<int>(own::Type::mt19937) == CURAND_RNG_PSEUDO_MT19937);
static_assert(static_cast<int>(own::Type::philox) == CURAND_RNG_PSEUDO_PHILOX4_32_10);
static_assert(static_cast<int>(own::Type::sobol32) == CURAND_RNG_QUASI_SOBOL32);
static_assert(static_cast<int>(own::Type::scrambled_sobol64) == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
static_assert(static_cast<int>(own::Ordering::seeded) == CURAND_ORDERING_PSEUDO_SEEDED);
static_assert(static_cast<int>(own::Ordering::legacy) == CURAND_ORDERING_PSEUDO_LEGACY);
static_assert(static_cast<int>(own::Ordering::dynamic) == CURAND_ORDERING_PSEUDO_DYNAMIC);

struct Curand {
  curandGenerator_t generator = nullptr;
  explicit Curand(curandRngType_t type, bool on_host = false) {
    const curandStatus_t status = on_host ? curandCreateGeneratorHost(&generator, type)
                                          : curandCreateGenerator(&generator, type);
    REQUIRE(status == CURAND_STATUS_SUCCESS);
  }
  ~Curand() { curandDestroyGenerator(generator); }
  Curand(const Curand&) = delete;
  Curand& operator=(const Curand&) = delete;
};

/// One line of curand_on_card.txt.
struct Case {
  int type = 0, ordering = 0;
  unsigned long long seed = 0, offset = 0;
  unsigned int dimensions = 0;
  std::string what, counts;
  std::vector<std::string> expected;
};

std::vector<Case> cases() {
  std::ifstream file(WARPSIM_CURAND_ON_CARD);
  REQUIRE(file);
  std::vector<Case> made;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    Case one;
    words >> one.type >> one.ordering >> one.seed >> one.offset >> one.dimensions >> one.what >>
        one.counts;
    for (std::string word; words >> word;) one.expected.push_back(word);
    made.push_back(one);
  }
  return made;
}

/// All numbers of the case's calls.
template <class T, class Generate>
std::vector<T> numbers(const Case& one, Generate generate) {
  const Curand curand(static_cast<curandRngType_t>(one.type));
  const curandGenerator_t generator = curand.generator;
  REQUIRE(curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(one.ordering)) ==
          CURAND_STATUS_SUCCESS);
  REQUIRE((one.type < CURAND_RNG_QUASI_DEFAULT
               ? curandSetPseudoRandomGeneratorSeed(generator, one.seed)
               : curandSetQuasiRandomGeneratorDimensions(generator, one.dimensions)) ==
          CURAND_STATUS_SUCCESS);
  if (one.offset != 0) {
    REQUIRE(curandSetGeneratorOffset(generator, one.offset) == CURAND_STATUS_SUCCESS);
  }
  std::vector<T> all;
  std::istringstream counts(one.counts);
  for (std::string word; std::getline(counts, word, ',');) {
    const std::size_t count = std::stoul(word);
    const DeviceArray<T> array(count);
    REQUIRE(generate(generator, array.get(), count) == CURAND_STATUS_SUCCESS);
    const std::vector<T> made = array.values();
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

template <class T>
std::string checksum(const std::vector<T>& values) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const T& value : values) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) sum = (sum ^ byte) * 0x100000001b3;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

/// The largest difference from the card's numbers. @param relative  to the number
template <class T>
double difference(const Case& one, const std::vector<T>& values, bool relative) {
  double largest = 0;
  for (const std::string& word : one.expected) {
    const std::size_t colon = word.find(':');
    const double expected = std::strtod(word.c_str() + colon + 1, nullptr);
    const double found = static_cast<double>(values.at(std::stoul(word.substr(0, colon))));
    largest = std::max(largest, std::abs(found - expected) / (relative ? std::abs(expected) : 1.0));
  }
  return largest;
}

bool is_inverted(const Case& one) {
  return one.type == CURAND_RNG_PSEUDO_MT19937 || one.type >= CURAND_RNG_QUASI_DEFAULT;
}

}  // namespace

TEST_CASE("bits and uniform numbers are those of a card", "[libraries][curand]") {
  std::map<std::string, int> held;
  for (const Case& one : cases()) {
    INFO(one.type << " " << one.ordering << " " << one.seed << " " << one.offset << " "
                  << one.dimensions << " " << one.what << " " << one.counts);
    std::string sum;
    if (one.what == "u32") {
      sum = checksum(numbers<unsigned int>(one, curandGenerate));
    } else if (one.what == "u64") {
      sum = checksum(numbers<unsigned long long>(one, curandGenerateLongLong));
    } else if (one.what == "f") {
      sum = checksum(numbers<float>(one, curandGenerateUniform));
    } else if (one.what == "d") {
      sum = checksum(numbers<double>(one, curandGenerateUniformDouble));
    } else {
      continue;
    }
    CHECK(sum == one.expected.at(0));
    ++held[one.what];
  }
  CHECK(held["u32"] > 20);
  CHECK(held["u64"] > 0);
  CHECK(held["f"] > 10);
  CHECK(held["d"] > 10);
}

TEST_CASE("normal numbers are those of a card but for its approximations", "[libraries][curand]") {
  int held = 0;
  for (const Case& one : cases()) {
    INFO(one.type << " " << one.ordering << " " << one.seed << " " << one.offset << " "
                  << one.dimensions << " " << one.what << " " << one.counts);
    const auto normal = [](float mean, float deviation) {
      return [=](curandGenerator_t generator, float* to, std::size_t count) {
        return curandGenerateNormal(generator, to, count, mean, deviation);
      };
    };
    // The sine and cosine of a Box-Muller transform in float are __sinf and __cosf on the card.
    if (one.what == "nf") {
      const double most = is_inverted(one) ? 5e-7 : 3e-6;
      CHECK(difference(one, numbers<float>(one, normal(0, 1)), false) < most);
    } else if (one.what == "mf") {
      CHECK(difference(one, numbers<float>(one, normal(1.5F, 0.7F)), false) < 3e-6);
    } else if (one.what == "nd") {
      const auto values = numbers<double>(one, [](auto generator, double* to, std::size_t count) {
        return curandGenerateNormalDouble(generator, to, count, 0, 1);
      });
      CHECK(difference(one, values, false) < 2e-15);
    } else if (one.what == "lf") {
      const auto values = numbers<float>(one, [](auto generator, float* to, std::size_t count) {
        return curandGenerateLogNormal(generator, to, count, 0, 1);
      });
      CHECK(difference(one, values, true) < 3e-6);
    } else if (one.what == "ld") {
      const auto values = numbers<double>(one, [](auto generator, double* to, std::size_t count) {
        return curandGenerateLogNormalDouble(generator, to, count, 0, 1);
      });
      CHECK(difference(one, values, true) < 4e-15);
    } else {
      continue;
    }
    ++held;
  }
  CHECK(held > 60);
}

TEST_CASE("direction vectors for the device API are those of a card", "[libraries][curand]") {
  // Of the first 3667 dimensions, all that there are here: from cuRAND 10.4.0, on 2026-11-30.
  constexpr std::size_t kDimensions = 3667;
  curandDirectionVectors32_t* of_32 = nullptr;
  REQUIRE(curandGetDirectionVectors32(&of_32, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  curandDirectionVectors64_t* of_64 = nullptr;
  REQUIRE(curandGetDirectionVectors64(&of_64, CURAND_DIRECTION_VECTORS_64_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  std::uint64_t sum_32 = 0xcbf29ce484222325, sum_64 = sum_32;
  for (std::size_t i = 0; i < kDimensions; ++i) {
    for (const unsigned int number : of_32[i]) sum_32 = (sum_32 ^ number) * 0x100000001b3;
    for (const unsigned long long number : of_64[i]) sum_64 = (sum_64 ^ number) * 0x100000001b3;
  }
  CHECK(sum_32 == 0xed17af53024cd852);
  CHECK(sum_64 == 0x89bf1a2bf5f7f684);
  CHECK(curandGetDirectionVectors32(&of_32, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGetDirectionVectors64(&of_64, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
        CURAND_STATUS_OUT_OF_RANGE);
}

TEST_CASE("a generator of host memory makes the same numbers", "[libraries][curand]") {
  const Curand device(CURAND_RNG_PSEUDO_DEFAULT), host(CURAND_RNG_PSEUDO_DEFAULT, true);
  const DeviceArray<float> there(1000);
  std::vector<float> here(1000);
  REQUIRE(curandGenerateUniform(device.generator, there.get(), 1000) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandGenerateUniform(host.generator, here.data(), 1000) == CURAND_STATUS_SUCCESS);
  CHECK(there.values() == here);
}

TEST_CASE("a change of an option continues at the same place of the new numbers",
          "[libraries][curand]") {
  const auto first = [](curandGenerator_t generator) {
    unsigned int value = 0;
    REQUIRE(curandGenerate(generator, &value, 1) == CURAND_STATUS_SUCCESS);
    return value;
  };
  // As cuRAND does on the host: place 0, places 1 and 2, then a seed, then an offset.
  const Curand curand(CURAND_RNG_PSEUDO_XORWOW, true);
  CHECK(first(curand.generator) == 0xbd7f03b6);
  CHECK(first(curand.generator) == 0xebc63fb7);
  CHECK(first(curand.generator) == 0x09fd3f29);
  curandSetGeneratorOrdering(curand.generator, CURAND_ORDERING_PSEUDO_LEGACY);
  CHECK(first(curand.generator) == 0xf80df3fd);
  curandSetPseudoRandomGeneratorSeed(curand.generator, 0);
  CHECK(first(curand.generator) == 0xecd6032e);
  curandSetGeneratorOffset(curand.generator, 1);
  CHECK(first(curand.generator) == 0xebc63fb7);
}

TEST_CASE("arguments that a generator refuses have cuRAND's status", "[libraries][curand]") {
  curandGenerator_t none = nullptr;
  CHECK(curandCreateGenerator(&none, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandCreateGenerator(&none, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32) ==
        CURAND_STATUS_TYPE_ERROR);
  const Curand xorwow(CURAND_RNG_PSEUDO_XORWOW), sobol(CURAND_RNG_QUASI_SOBOL32),
      twister(CURAND_RNG_PSEUDO_MT19937);
  const DeviceArray<float> array(9);
  const auto normal = [&](const Curand& curand, std::size_t count) {
    return curandGenerateNormal(curand.generator, array.get(), count, 0, 1);
  };
  CHECK(normal(xorwow, 3) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(normal(twister, 3) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetQuasiRandomGeneratorDimensions(sobol.generator, 3) == CURAND_STATUS_SUCCESS);
  CHECK(normal(sobol, 3) == CURAND_STATUS_SUCCESS);
  CHECK(normal(sobol, 4) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(sobol.generator, 20001) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(xorwow.generator, 3) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetPseudoRandomGeneratorSeed(sobol.generator, 3) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetGeneratorOffset(twister.generator, 3) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetGeneratorOrdering(twister.generator, CURAND_ORDERING_PSEUDO_SEEDED) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGenerateLongLong(sobol.generator, nullptr, 3) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandGenerate(nullptr, nullptr, 1) == CURAND_STATUS_NOT_INITIALIZED);
  curandGenerator_t gone = nullptr;
  curandCreateGenerator(&gone, CURAND_RNG_PSEUDO_DEFAULT);
  CHECK(curandDestroyGenerator(gone) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(gone) == CURAND_STATUS_NOT_INITIALIZED);
  int version = 0;
  CHECK(curandGetVersion(&version) == CURAND_STATUS_SUCCESS);
  CHECK(version == own::kVersion);
  CHECK(curandGetProperty(MINOR_VERSION, &version) == CURAND_STATUS_SUCCESS);
  CHECK(version == 4);
}
