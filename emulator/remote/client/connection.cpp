#include "emulator/remote/client/connection.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "emulator/remote/client/requests.h"

namespace warpsim::remote {
namespace {

constexpr int kDeviceGone = 71;  // exit code if the device process has ended before the program

struct Connection {
  int socket = -1;
  std::mutex mutex;  // of the socket: threads request channels one at a time
  std::unique_ptr<Endpoint> faults;
};
std::atomic<Connection*> connection = nullptr;

bool device_gone(int socket) {
  pollfd state = {.fd = socket, .events = 0, .revents = 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

[[noreturn]] void end_without_device(const char* why) {
  std::fprintf(stderr, "libcudart: %s\n", why);
  ::_exit(kDeviceGone);
}

/// Maps the channel in a file of the device process.
Channel* map_channel(int file) {
  void* mapped = ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return mapped == MAP_FAILED ? nullptr : static_cast<Channel*>(mapped);
}

std::unique_ptr<Endpoint> open_channel(Connection& to, bool for_faults) {
  const std::lock_guard lock(to.mutex);
  const ChannelRequest request = {.for_faults = for_faults};
  std::byte answer{};
  int file = -1;
  if (!send_with_descriptor(to.socket, std::as_bytes(std::span(&request, 1)), -1) ||
      !receive_with_descriptor(to.socket, {&answer, 1}, file) || file < 0) {
    end_without_device("the device process refused a channel: too many threads, or it has exited");
  }
  Channel* channel = map_channel(file);
  if (channel == nullptr) end_without_device("no memory for a channel to the device process");
  return std::make_unique<Endpoint>(*channel, Turn::client,
                                    [socket = to.socket] { return device_gone(socket); });
}

/// The thread's channel. The main thread's stays open: exit handlers run after its destructors.
thread_local Endpoint* of_thread = nullptr;

struct ClosesChannel {
  bool armed = false;
  ~ClosesChannel() {
    if (!armed || of_thread == nullptr) return;
    of_thread->close();
    delete std::exchange(of_thread, nullptr);
  }
};
thread_local ClosesChannel at_end_of_thread;

/// Reserves memory that faults if the program accesses it.
bool reserve(std::uint64_t base, std::uint64_t bytes) {
  void* got = ::mmap(reinterpret_cast<void*>(base), bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return got != MAP_FAILED;
}

std::uint64_t device_base = 0;
std::uint64_t device_bytes = 0;

std::vector<std::byte> exchange_on(Endpoint& endpoint, CallNumber number,
                                   std::span<const std::byte> bytes) {
  if (!endpoint.send(Kind::call, static_cast<std::uint32_t>(number), bytes)) {
    end_without_device("a call's arguments are too long to be sent to the device process");
  }
  Message message;
  for (;;) {
    if (!endpoint.receive(message)) end_without_device("the device process has exited");
    if (message.kind == Kind::result) return std::move(message.bytes);
    Writer answer;
    do_request(static_cast<Request>(message.number), message.bytes, endpoint.window(), answer);
    if (!endpoint.send(Kind::answer, message.number, answer.data())) {
      end_without_device("an answer to the device process is too long");
    }
  }
}

}  // namespace

bool connect_device() {
  if (is_connected()) return true;
  const char* text = std::getenv(kSocketVariable);
  if (text == nullptr) return false;
  auto made = std::make_unique<Connection>();
  made->socket = std::atoi(text);
  const Greeting greeting = {.cuda_version = WARPSIM_CUDA_MAJOR};
  Welcome welcome;
  int shared = -1;
  if (!send_with_descriptor(made->socket, std::as_bytes(std::span(&greeting, 1)), -1) ||
      !receive_with_descriptor(made->socket, std::as_writable_bytes(std::span(&welcome, 1)),
                               shared) ||
      welcome.version != kVersion || welcome.accepted == 0 || shared < 0) {
    end_without_device("the device process does not respond, or has another version");
  }
  device_base = welcome.device_base;
  device_bytes = welcome.device_bytes;
  if (!reserve(device_base, device_bytes) || !reserve(kSharedBase, kSharedBytes)) {
    end_without_device("the address range of device memory is already in use");
  }
  set_shared_file(shared);
  made->faults = open_channel(*made, true);
  of_thread = open_channel(*made, false).release();
  connection.store(made.release(), std::memory_order_release);  // never destroyed
  return true;
}

bool is_connected() {
  return connection.load(std::memory_order_acquire) != nullptr;
}

void forget_connection() {
  connection.store(nullptr, std::memory_order_release);
  of_thread = nullptr;  // the parent uses the channel, too: it must not be closed
}

bool in_device_memory(std::uint64_t address) {
  return address - device_base < device_bytes;
}

ProgramCall::ProgramCall(const void* return_address) : outer_(exchange_caller(return_address)) {}

ProgramCall::~ProgramCall() {
  (void)exchange_caller(outer_);
}

std::vector<std::byte> exchange(CallNumber number, std::span<const std::byte> bytes) {
  Connection& to = *connection.load(std::memory_order_acquire);
  if (of_thread == nullptr) {
    of_thread = open_channel(to, false).release();
    at_end_of_thread.armed = true;
  }
  return exchange_on(*of_thread, number, bytes);
}

std::vector<std::byte> exchange_in_handler(CallNumber number, std::span<const std::byte> bytes) {
  static std::atomic_flag busy;  // threads may fault at the same time
  while (busy.test_and_set(std::memory_order_acquire)) ::poll(nullptr, 0, 1);
  std::vector<std::byte> result =
      exchange_on(*connection.load(std::memory_order_acquire)->faults, number, bytes);
  busy.clear(std::memory_order_release);
  return result;
}

namespace {

struct SizeCache {
  std::mutex mutex;
  std::unordered_map<const void*, std::vector<std::uint32_t>> sizes;
};
SizeCache& size_cache() {
  static auto& cache = *new SizeCache;
  return cache;
}

}  // namespace

std::vector<std::uint32_t> sizes_of_parameters(const void* function) {
  {
    const std::lock_guard lock(size_cache().mutex);
    const auto known = size_cache().sizes.find(function);
    if (known != size_cache().sizes.end()) return known->second;
  }
  ParameterSizeList list;
  if (WARPSIM_DEVICE_CALL(parameter_sizes)(function, &list) != cudaSuccess) return {};
  std::vector<std::uint32_t> sizes(list.bytes, list.bytes + list.count);
  const std::lock_guard lock(size_cache().mutex);
  size_cache().sizes[function] = sizes;
  return sizes;
}

void forget_parameter_sizes() {
  const std::lock_guard lock(size_cache().mutex);
  size_cache().sizes.clear();
}

}  // namespace warpsim::remote
