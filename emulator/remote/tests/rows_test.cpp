#include "emulator/remote/rows.h"

#include <cuda_runtime_api.h>

#include <optional>
#include <vector>

#include "emulator/cudart/frames.h"
#include "emulator/remote/call_numbers.h"
#include "emulator/remote/tests/device_process.h"

// How many times a copy of rows asks the program for them. The test is the client, and counts.

namespace warpsim::remote {
namespace {

/// A client with its memory in this process.
class Client {
 public:
  Client() {
    REQUIRE(device_.greet());
    channel_ = device_.open_channel();
    REQUIRE(channel_ != nullptr);
    endpoint_.emplace(*channel_, Turn::client, [this] { return device_.gone(); });
  }
  ~Client() { ::munmap(channel_, sizeof(Channel)); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Calls a function and does what it asks for. @returns the bytes of the result
  template <class... Arguments>
  std::vector<std::byte> call(CallNumber number, const Arguments&... arguments) {
    Writer out;
    (out.value(arguments), ...);
    REQUIRE(endpoint_->send(Kind::call, static_cast<std::uint32_t>(number), out.data()));
    Message got;
    while (endpoint_->receive(got) && got.kind == Kind::request) {
      REQUIRE(endpoint_->send(Kind::answer, got.number, answer_to(got)));
    }
    REQUIRE(got.kind == Kind::result);
    return got.bytes;
  }

  int requests = 0;  // to read or to write
  std::uint64_t bytes = 0;  // that they moved

 private:
  std::vector<std::byte> answer_to(const Message& request) {
    Reader in(request.bytes);
    const auto number = static_cast<Request>(request.number);
    if (number == Request::frames) return std::vector<std::byte>(sizeof(cudart::Frames));
    if (number == Request::catches_faults) return std::vector<std::byte>(1);
    if (number != Request::read && number != Request::write) return {};
    const auto rows = in.value<Rows>();
    ++requests;
    bytes += rows.width * rows.count;
    REQUIRE(rows.width * rows.count <= kWindowBytes);
    if (number == Request::read) gather(endpoint_->window(), rows);
    if (number == Request::write) scatter(rows, endpoint_->window());
    return {};
  }

  Device device_;
  Channel* channel_ = nullptr;
  std::optional<Endpoint> endpoint_;
};

constexpr std::size_t kRows = 28'000;
constexpr std::size_t kWidth = 64;
constexpr std::size_t kPitch = 80;  // on the host

TEST_CASE("28,000 rows cross in as many requests as windows that they fill", "[remote][rows]") {
  Client client;
  const std::uint8_t there = 1;
  const auto allocated =
      client.call(CallNumber::cudaMalloc, there, std::uint64_t{0}, kRows * kWidth);
  Reader in(allocated);
  REQUIRE(in.value<cudaError_t>() == cudaSuccess);
  const auto device = in.value<std::uint64_t>();
  std::vector<unsigned char> host(kRows * kPitch);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i % 253);
  std::vector<unsigned char> back(host.size());
  const auto copy = [&](auto to, std::size_t to_pitch, auto from, std::size_t from_pitch,
                        cudaMemcpyKind kind) {
    client.requests = 0;
    client.bytes = 0;
    const auto result =
        client.call(CallNumber::cudaMemcpy2D, to, to_pitch, from, from_pitch, kWidth, kRows, kind);
    return Reader(result).value<cudaError_t>();
  };
  constexpr int kWindows = (kRows * kWidth + kWindowBytes - 1) / kWindowBytes;
  REQUIRE(copy(device, kWidth, host.data(), kPitch, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(client.requests == kWindows);
  CHECK(client.bytes == kRows * kWidth);
  REQUIRE(copy(back.data(), kPitch, device, kWidth, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(client.requests == kWindows);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    wrong += back[i] == (i % kPitch < kWidth ? host[i] : 0) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace warpsim::remote
