#include "emulator/remote/endpoint.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace warpsim::remote {
namespace {

/// Number of polls before sleeping: about 10 us. Waking a process takes longer than most calls; but
/// if both sides share a processor, polling only delays the other side, and where one waits for
/// longer, as for the start of the program, it is processor time for nothing.
constexpr int kLooks = 500;
constexpr std::uint32_t kGoneCheckMs = 100;

std::uint32_t* word(std::atomic<Turn>& turn) {
  return reinterpret_cast<std::uint32_t*>(&turn);
}

void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

std::size_t side(Turn turn) {
  return turn == Turn::client ? 0 : 1;
}

}  // namespace

Endpoint::Endpoint(Channel& channel, Turn own, std::function<bool()> gone)
    : channel_(channel),
      own_(own),
      other_(own == Turn::client ? Turn::device : Turn::client),
      gone_(std::move(gone)) {}

bool Endpoint::send(Kind kind, std::uint32_t number, std::span<const std::byte> bytes) {
  if (bytes.size() > kMessageBytes) return false;
  channel_.kind = kind;
  channel_.number = number;
  channel_.bytes = static_cast<std::uint32_t>(bytes.size());
  if (!bytes.empty()) std::memcpy(channel_.message, bytes.data(), bytes.size());
  channel_.turn.store(other_, std::memory_order_seq_cst);
  if (channel_.sleeps[side(other_)].load(std::memory_order_seq_cst) != 0) {
    ::syscall(SYS_futex, word(channel_.turn), FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
  return true;
}

bool Endpoint::wait_for_turn(std::uint32_t most_milliseconds) {
  for (int i = 0; i < kLooks; ++i) {
    if (channel_.turn.load(std::memory_order_acquire) != other_) return true;
    pause_processor();
  }
  std::atomic<std::uint32_t>& sleeps = channel_.sleeps[side(own_)];
  sleeps.store(1, std::memory_order_seq_cst);
  if (channel_.turn.load(std::memory_order_seq_cst) == other_) {
    const timespec most = {.tv_sec = most_milliseconds / 1000,
                           .tv_nsec = static_cast<long>(most_milliseconds % 1000) * 1'000'000};
    ::syscall(SYS_futex, word(channel_.turn), FUTEX_WAIT, static_cast<std::uint32_t>(other_), &most,
              nullptr, 0);
  }
  sleeps.store(0, std::memory_order_relaxed);
  return channel_.turn.load(std::memory_order_acquire) != other_;
}

bool Endpoint::wait(std::uint32_t milliseconds) {
  return wait_for_turn(milliseconds);
}

bool Endpoint::receive(Message& message) {
  while (!wait_for_turn(kGoneCheckMs)) {
    if (gone_()) return false;
  }
  if (channel_.turn.load(std::memory_order_acquire) != own_) return false;
  message.kind = channel_.kind;
  message.number = channel_.number;
  // Read once: the other side may write at any time.
  const std::uint32_t said = *static_cast<volatile std::uint32_t*>(&channel_.bytes);
  const auto bytes = std::min<std::size_t>(said, kMessageBytes);
  message.bytes.assign(channel_.message, channel_.message + bytes);
  return true;
}

void Endpoint::close() {
  channel_.turn.store(Turn::closed, std::memory_order_seq_cst);
  ::syscall(SYS_futex, word(channel_.turn), FUTEX_WAKE, 2, nullptr, nullptr, 0);
}

int make_shared_file(const char* name, std::uint64_t bytes) {
  const int file = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  // Truncating the file would end the other side with SIGBUS.
  if (::ftruncate(file, static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    ::close(file);
    return -1;
  }
  return file;
}

bool send_with_descriptor(int socket, std::span<const std::byte> bytes, int descriptor) {
  iovec part = {const_cast<std::byte*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(bytes.size());
}

bool receive_with_descriptor(int socket, std::span<std::byte> bytes, int& descriptor) {
  descriptor = -1;
  iovec part = {bytes.data(), bytes.size()};
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received = 0;
  do {
    received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); received >= 0 && header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    if (descriptor >= 0) ::close(descriptor);
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  }
  return received == static_cast<ssize_t>(bytes.size());
}

}  // namespace warpsim::remote
