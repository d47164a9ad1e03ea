#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

// The protocol between a program (the client) and its device process: docs/device-protocol.md.
//
// A socket carries the greeting and file descriptors. Everything else goes through channels, one
// for each thread of the program: shared memory that the two sides use alternately. The client's
// data are hostile input: the device copies them before reading them, and checks every length.

namespace warpsim::remote {

constexpr std::uint32_t kVersion = 2;
/// The environment variable with the descriptor of the client's end of the socket.
constexpr const char* kSocketVariable = "WARPSIM_DEVICE";

constexpr std::size_t kMessageBytes = 128 * 1024;  // one call with all its arguments
constexpr std::size_t kWindowBytes = 1024 * 1024;  // for copies, a part at a time
constexpr std::size_t kMostChannels = 256;  // of one program
constexpr std::uint64_t kMostList = 4096;  // elements of a list among a call's arguments

/// Addresses of the memory that both sides share: reserved in the client, backed by one file.
constexpr std::uint64_t kSharedBase = 0x3000'0000'0000;
constexpr std::uint64_t kSharedBytes = std::uint64_t{64} << 30;

enum class Turn : std::uint32_t { client, device, closed };

/// The kind of a message.
enum class Kind : std::uint32_t {
  call,  // client: a function, by its CallNumber
  result,  // device: the answer to a call
  request,  // device, during a call: one of `Request`
  answer,  // client: the answer to a request
};

/// Requests of the device to the client's thread whose call it executes.
enum class Request : std::uint32_t {
  read,  // copies `Rows` of the program's memory into the window
  write,  // copies the window into `Rows` of the program's memory
  find_code,
  find_library_code,
  map_shared,  // makes pages of the shared memory accessible
  unmap_shared,
  adopt,  // replaces pages of the program by shared ones
  catches_faults,
  protect,
  frames,
  object,
  libraries,
  call_host_function,
  call_stream_callback,
  print,
};

/// One thread's channel, at the start of its shared memory.
struct Channel {
  std::atomic<Turn> turn;
  /// 1 while that side sleeps until its turn.
  std::atomic<std::uint32_t> sleeps[2];
  Kind kind;
  std::uint32_t number;  // of the call or request; repeated in the answer
  std::uint32_t bytes;  // of the message
  alignas(64) std::byte message[kMessageBytes];
  alignas(4096) std::byte window[kWindowBytes];
};
static_assert(std::atomic<Turn>::is_always_lock_free);

/// Messages on the socket, each of a fixed size; descriptors are attached.
struct Greeting {  // client to device
  std::uint32_t version = kVersion;
  std::uint32_t cuda_version = 0;  // 12, 13
};
struct Welcome {  // device to client, with the shared memory's file; an empty one is a refusal
  std::uint32_t version = kVersion;
  std::uint32_t accepted = 0;
  std::uint64_t device_base = 0, device_bytes = 0;  // addresses of the device's memory
};
struct ChannelRequest {  // client to device; the answer is one byte, with the channel's file
  std::uint32_t for_faults = 0;
};

}  // namespace warpsim::remote
