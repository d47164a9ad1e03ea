#pragma once

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <string>

#include "emulator/remote/endpoint.h"
#include "emulator/remote/message.h"

// For tests that are a client themselves.

namespace warpsim::remote {

/// A device process and this side's end of its socket.
class Device {
 public:
  Device() {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()) == 0);
    socket_ = ends[0];
    process_ = ::fork();
    if (process_ == 0) {
      ::close(ends[0]);
      ::setenv("WARPSIM_QUIET", "1", 1);
      ::setenv("WARPSIM_BUDGET", "100000", 1);
      const std::string socket = std::to_string(ends[1]);
      ::execl(WARPSIM_DEVICE, WARPSIM_DEVICE, "--socket", socket.c_str(), "--program", "/none",
              nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
  }
  ~Device() { (void)end(); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Leaves it. @returns how it ended, as waitpid says; killed when it does not
  int end() {
    if (process_ < 0) return status_;
    ::close(socket_);
    for (int i = 0; i < 500; ++i) {
      if (::waitpid(process_, &status_, WNOHANG) == process_) {
        process_ = -1;
        return status_;
      }
      ::usleep(10'000);
    }
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status_, 0);
    process_ = -1;
    return status_;
  }

  bool greet(std::uint32_t version = kVersion) {
    const Greeting greeting = {.version = version, .cuda_version = 13};
    Welcome welcome;
    int shared = -1;
    const bool answered =
        send_with_descriptor(socket_, std::as_bytes(std::span(&greeting, 1)), -1) &&
        receive_with_descriptor(socket_, std::as_writable_bytes(std::span(&welcome, 1)), shared);
    if (shared >= 0) ::close(shared);
    return answered && welcome.accepted != 0;
  }

  Channel* open_channel() {
    const ChannelRequest request;
    std::byte answer{};
    int file = -1;
    if (!send_with_descriptor(socket_, std::as_bytes(std::span(&request, 1)), -1) ||
        !receive_with_descriptor(socket_, {&answer, 1}, file) || file < 0) {
      return nullptr;
    }
    void* mapped = ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    return mapped == MAP_FAILED ? nullptr : static_cast<Channel*>(mapped);
  }
  [[nodiscard]] bool gone() { return ::recv(socket_, nullptr, 0, MSG_DONTWAIT | MSG_PEEK) == 0; }
  [[nodiscard]] int socket() const { return socket_; }

 private:
  int socket_ = -1;
  pid_t process_ = -1;
  int status_ = 0;
};

}  // namespace warpsim::remote
