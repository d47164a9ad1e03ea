// A client that sends what it likes: the device process must neither crash nor hang.

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <random>

#include "emulator/machine/memory.h"
#include "emulator/remote/call_numbers.h"
#include "emulator/remote/tests/device_process.h"

namespace warpsim::remote {
namespace {

using Random = std::mt19937_64;

/// A number of a kind that finds mistakes: small, large, an address, a handle seen before.
std::uint64_t number(Random& random, const std::vector<std::uint64_t>& seen) {
  switch (random() % 8) {
    case 0:
      return random() % 4;
    case 1:
      return random() % 4096;
    case 2:
      return ~std::uint64_t{0} - random() % 4;
    case 3:
      return GlobalMemory::kBase + random() % 65536;
    case 4:
      return kSharedBase + random() % 65536;
    case 5:
      return random();
    default:
      return seen.empty() ? 0 : seen[random() % seen.size()];
  }
}

std::vector<std::byte> message(Random& random, const std::vector<std::uint64_t>& seen) {
  Writer out;
  for (auto parts = random() % 12; parts > 0; --parts) {
    const std::uint64_t n = number(random, seen);
    switch (random() % 4) {
      case 0:
        out.value(static_cast<std::uint8_t>(random() % 2));  // a pointer that is there, or not
        out.value(n);
        break;
      case 1:
        out.value(static_cast<std::uint8_t>(n));
        break;
      case 2:
        out.value(static_cast<std::uint32_t>(n));
        break;
      default:
        out.value(n);
    }
  }
  if (random() % 4 == 0) {
    for (auto more = random() % 2048; more > 0; --more) {
      out.value(static_cast<std::uint8_t>(random()));
    }
  }
  return {out.data().begin(), out.data().end()};
}

/// Calls until the device ends the session, or so many.
void talk(Device& device, Random& random, int calls) {
  Channel* channel = device.open_channel();
  if (channel == nullptr) return;
  Endpoint endpoint(*channel, Turn::client, [&] { return device.gone(); });
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < calls; ++i) {
    auto which =
        static_cast<std::uint32_t>(random() % static_cast<std::uint64_t>(CallNumber::count));
    // It ends the run: not before there is something to end.
    if (which == static_cast<std::uint32_t>(CallNumber::finish) && i < calls / 2) which = 0;
    if (!endpoint.send(Kind::call, which, message(random, seen))) return;
    Message got;
    for (int answers = 0; endpoint.receive(got) && got.kind == Kind::request; ++answers) {
      if (answers > 1000) return;  // it is asked for all of a large piece of memory
      const bool right_kind = random() % 64 != 0;
      if (!endpoint.send(right_kind ? Kind::answer : Kind::result, got.number,
                         random() % 2 == 0 ? message(random, seen)
                                           : std::vector<std::byte>(1, std::byte{1}))) {
        return;
      }
    }
    if (got.kind != Kind::result) break;
    // What comes back are handles and addresses.
    for (std::size_t at = 4; at + 8 <= got.bytes.size() && at < 64; at += 4) {
      std::uint64_t value = 0;
      std::memcpy(&value, got.bytes.data() + at, sizeof value);
      seen.push_back(value);
    }
    if (seen.size() > 256) seen.erase(seen.begin(), seen.begin() + 128);
  }
  ::munmap(channel, sizeof(Channel));
}

TEST_CASE("a program of another version is turned away", "[remote][hostile]") {
  Device device;
  CHECK_FALSE(device.greet(kVersion + 1));
  CHECK(WIFEXITED(device.end()));
}

TEST_CASE("a device that nobody greets ends with its program", "[remote][hostile]") {
  Device device;
  const int status = device.end();
  CHECK(WIFEXITED(status));
}

TEST_CASE("a call that does not exist ends the session", "[remote][hostile]") {
  Device device;
  REQUIRE(device.greet());
  Channel* channel = device.open_channel();
  REQUIRE(channel != nullptr);
  Endpoint endpoint(*channel, Turn::client, [&] { return device.gone(); });
  REQUIRE(endpoint.send(Kind::call, 1 << 20, {}));
  Message message;
  CHECK_FALSE(endpoint.receive(message));
  const int status = device.end();
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

TEST_CASE("more channels than are allowed are refused", "[remote][hostile]") {
  Device device;
  REQUIRE(device.greet());
  std::vector<Channel*> open;
  while (Channel* channel = device.open_channel()) {
    open.push_back(channel);
    REQUIRE(open.size() <= kMostChannels);
  }
  CHECK(open.size() == kMostChannels);
  for (Channel* channel : open) ::munmap(channel, sizeof(Channel));
  CHECK(WIFEXITED(device.end()));
}

// WARPSIM_FUZZ_SECONDS makes it longer, WARPSIM_FUZZ_SEED repeats one session.
TEST_CASE("whatever a program sends, its device process does not crash", "[remote][hostile]") {
  const char* seconds = std::getenv("WARPSIM_FUZZ_SECONDS");
  const char* only = std::getenv("WARPSIM_FUZZ_SEED");
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::seconds(seconds ? std::atoi(seconds) : 8);
  std::uint64_t seed = only != nullptr ? std::strtoull(only, nullptr, 10) : 1;
  do {
    CAPTURE(seed);
    Random random(seed++);
    Device device;
    REQUIRE(device.greet());
    talk(device, random, 300);
    const int status = device.end();
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
  } while (only == nullptr && std::chrono::steady_clock::now() < until);
}

}  // namespace
}  // namespace warpsim::remote
