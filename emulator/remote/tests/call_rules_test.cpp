// Which call is legal when: a model of the protocol's states, and a device process that is sent
// random sequences of calls.

#include "emulator/remote/call_rules.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "emulator/cudart/outputs_file.h"
#include "emulator/remote/marshal.h"
#include "emulator/remote/tests/device_process.h"

namespace warpsim::remote {
namespace {

using Random = std::mt19937_64;

constexpr std::array kStates = {CallState::before, CallState::open, CallState::over,
                                CallState::finished};

bool is_legal(CallNumber call, CallState state) {
  return is_legal(static_cast<std::uint32_t>(call), state);
}

template <class... P>
std::vector<std::byte> arguments(P... parameters) {
  const std::tuple<P...> all(parameters...);
  Writer out;
  const auto no_sizes = [](const void*) { return std::vector<std::uint32_t>{}; };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (write_argument<I>(out, all, no_sizes), ...);
  }
  (std::index_sequence_for<P...>{});
  return {out.data().begin(), out.data().end()};
}

/// The file in which the device process of this test delivers.
class OutputsFile {
 public:
  OutputsFile()
      : file_(std::filesystem::temp_directory_path() /
              ("call-rules-" + std::to_string(::getpid()))) {
    std::filesystem::remove(file_);
    ::setenv("WARPSIM_CALL_OUTPUTS", file_.c_str(), 1);
  }
  ~OutputsFile() {
    std::filesystem::remove(file_);
    ::unsetenv("WARPSIM_CALL_OUTPUTS");
  }
  OutputsFile(const OutputsFile&) = delete;
  OutputsFile& operator=(const OutputsFile&) = delete;

  [[nodiscard]] std::optional<cudart::DeliveredCall> read() const {
    return cudart::read_outputs(file_);
  }

 private:
  std::filesystem::path file_;
};

/// A program's thread.
class Client {
 public:
  explicit Client(Device& device)
      : channel_(device.open_channel()),
        endpoint_(*channel_, Turn::client, [&device] { return device.gone(); }) {}
  ~Client() { ::munmap(channel_, sizeof(Channel)); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// @returns whether the call had a result; otherwise the session has ended
  bool call(CallNumber number, std::span<const std::byte> bytes) {
    if (!endpoint_.send(Kind::call, static_cast<std::uint32_t>(number), bytes)) return false;
    // No library, no frame, no address that is known.
    const std::vector<std::byte> nothing(4096);
    Message got;
    while (endpoint_.receive(got)) {
      if (got.kind == Kind::result) return true;
      if (!endpoint_.send(Kind::answer, got.number, nothing)) return false;
    }
    return false;
  }

 private:
  Channel* channel_;
  Endpoint endpoint_;
};

bool begin_call(Client& client) {
  const auto call = std::make_unique<cudart::HarnessCall>();
  return client.call(CallNumber::harness_call_begins,
                     arguments<const cudart::HarnessCall*>(call.get()));
}
bool end_call(Client& client) {
  return client.call(CallNumber::harness_call_ends, {});
}
bool finish(Client& client) {
  int code = 0;
  return client.call(CallNumber::finish, arguments<int, int, int*>(1, 0, &code));
}

TEST_CASE("the protocol's own calls have one order", "[remote][call-rules]") {
  for (const CallState state : kStates) {
    CHECK(is_legal(CallNumber::harness_call_begins, state) == (state == CallState::before));
    CHECK(is_legal(CallNumber::harness_call_ends, state) == (state == CallState::open));
    CHECK(is_legal(CallNumber::finish, state) == (state != CallState::finished));
  }
}

TEST_CASE("after the call only reads, waits, queries and releases are legal, after the end nothing",
          "[remote][call-rules]") {
  for (std::uint32_t call = 0; call < static_cast<std::uint32_t>(CallNumber::count); ++call) {
    CHECK_FALSE(is_legal(call, CallState::finished));
  }
  for (const CallNumber call :
       {CallNumber::launch, CallNumber::cudaGraphLaunch, CallNumber::cudaMemset,
        CallNumber::cudaMemcpyToSymbol, CallNumber::cudaLaunchHostFunc, CallNumber::cudaMalloc,
        CallNumber::cudaMallocManaged, CallNumber::cudaHostRegister, CallNumber::add_module,
        CallNumber::load_library, CallNumber::cudaMemcpyPeer, CallNumber::cudaMemcpy2DToArray,
        CallNumber::cudaDeviceSetLimit}) {
    CHECK(is_legal(call, CallState::before));
    CHECK(is_legal(call, CallState::open));
    CHECK_FALSE(is_legal(call, CallState::over));
  }
  for (const CallNumber call :
       {CallNumber::cudaMemcpy, CallNumber::cudaDeviceSynchronize, CallNumber::cudaGetLastError,
        CallNumber::cudaFree, CallNumber::cudaEventRecord, CallNumber::cudaMemGetInfo,
        CallNumber::remove_module, CallNumber::host_fault}) {
    CHECK(is_legal(call, CallState::before));
    CHECK(is_legal(call, CallState::over));
  }
}

TEST_CASE("a program without a harness makes calls in any order until it ends",
          "[remote][call-rules]") {
  const OutputsFile outputs;
  Device device;
  REQUIRE(device.greet());
  Client client(device);
  void* memory = nullptr;
  CHECK(client.call(CallNumber::cudaMalloc, arguments<void**, size_t>(&memory, 64)));
  CHECK(finish(client));
  CHECK(client.call(CallNumber::cudaMalloc, arguments<void**, size_t>(&memory, 64)));
  CHECK(WIFEXITED(device.end()));
  CHECK_FALSE(outputs.read());
}

TEST_CASE("an end without a call, and a second call, end the session by name",
          "[remote][call-rules]") {
  const OutputsFile outputs;
  {
    Device device;
    REQUIRE(device.greet());
    Client client(device);
    CHECK_FALSE(end_call(client));
    CHECK(WIFEXITED(device.end()));
    CHECK(outputs.read()->violation ==
          "called harness_call_ends before the harness had announced its call");
  }
  Device device;
  REQUIRE(device.greet());
  Client client(device);
  CHECK(begin_call(client));
  CHECK(end_call(client));
  CHECK(outputs.read()->violation.empty());
  CHECK_FALSE(begin_call(client));
  CHECK(WIFEXITED(device.end()));
  // What had been delivered does not count any more.
  CHECK(outputs.read()->violation ==
        "called harness_call_begins after the harness's call had ended");
}

TEST_CASE("a program that ends in the open call has no outputs", "[remote][call-rules]") {
  const OutputsFile outputs;
  Device device;
  REQUIRE(device.greet());
  Client client(device);
  CHECK(begin_call(client));
  CHECK(finish(client));
  CHECK_FALSE(end_call(client));
  CHECK(WIFEXITED(device.end()));
  CHECK_FALSE(outputs.read());
}

/// Calls with arguments that are always right.
bool make_known_call(Client& client, CallNumber call) {
  void* memory = nullptr;
  switch (call) {
    case CallNumber::harness_call_begins:
      return begin_call(client);
    case CallNumber::finish:
      return finish(client);
    case CallNumber::cudaMalloc:
      return client.call(call, arguments<void**, size_t>(&memory, 64));
    case CallNumber::cudaFree:
      return client.call(call, arguments<void*>(nullptr));
    default:
      return client.call(call, {});
  }
}

/// One session of random calls, beside a model.
void talk(Random& random, const OutputsFile& outputs) {
  constexpr std::array kKnown = {CallNumber::harness_call_begins,
                                 CallNumber::harness_call_ends,
                                 CallNumber::cudaMalloc,
                                 CallNumber::cudaGetLastError,
                                 CallNumber::cudaFree,
                                 CallNumber::cudaDeviceSynchronize,
                                 CallNumber::harness_call_begins,
                                 CallNumber::harness_call_ends,
                                 CallNumber::finish};
  Device device;
  REQUIRE(device.greet());
  std::array<std::unique_ptr<Client>, 2> threads = {std::make_unique<Client>(device),
                                                    std::make_unique<Client>(device)};
  CallState state = CallState::before;
  bool delivered = false;
  bool stopped = false;
  bool ended = false;
  std::string log;
  for (int i = 0; i < 30 && !stopped; ++i) {
    Client& client = *threads[random() % threads.size()];
    // Other calls come without arguments, which most of them miss.
    const bool is_known = random() % 4 != 0;
    const auto call =
        is_known
            ? kKnown[random() % kKnown.size()]
            : static_cast<CallNumber>(random() % static_cast<std::uint64_t>(CallNumber::count));
    // Finishing too early hides the rest.
    if (call == CallNumber::finish && i < 10 && state != CallState::open) continue;
    const bool legal = is_legal(call, state);
    log += std::to_string(static_cast<int>(call)) + " ";
    CAPTURE(i, log, state, is_known);
    const bool answered = is_known ? make_known_call(client, call) : client.call(call, {});
    stopped = !answered;
    if (!legal) {
      REQUIRE_FALSE(answered);
      break;
    }
    if (is_known) REQUIRE(answered);
    if (!answered) break;
    // A program that has reported its end, and announces a call then, is at its end.
    if (call == CallNumber::harness_call_begins) {
      state = ended ? CallState::finished : CallState::open;
    }
    if (call == CallNumber::harness_call_ends) {
      state = CallState::over;
      delivered = true;
    }
    ended = ended || call == CallNumber::finish;
    if (call == CallNumber::finish && state != CallState::before) state = CallState::finished;
  }
  CAPTURE(log, state, stopped, delivered);
  const int status = device.end();
  REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  const auto result = outputs.read();
  if (stopped && state != CallState::finished) {
    REQUIRE(result);
    CHECK_FALSE(result->violation.empty());
    CHECK(result->arrays.empty());
  } else {
    CHECK(result.has_value() == delivered);
    if (result) CHECK(result->violation.empty());
  }
}

// WARPSIM_FUZZ_SECONDS makes it longer, WARPSIM_FUZZ_SEED repeats one session.
TEST_CASE("random sequences of calls follow the table, and an illegal one has no outputs",
          "[remote][call-rules]") {
  const char* seconds = std::getenv("WARPSIM_FUZZ_SECONDS");
  const char* only = std::getenv("WARPSIM_FUZZ_SEED");
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::seconds(seconds ? std::atoi(seconds) : 8);
  std::uint64_t seed = only != nullptr ? std::strtoull(only, nullptr, 10) : 1;
  std::uint64_t sessions = 0;
  do {
    CAPTURE(seed);
    Random random(seed++);
    const OutputsFile outputs;
    talk(random, outputs);
    ++sessions;
  } while (only == nullptr && std::chrono::steady_clock::now() < until);
  std::printf("%llu sessions\n", static_cast<unsigned long long>(sessions));
}

}  // namespace
}  // namespace warpsim::remote
