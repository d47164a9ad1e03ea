#include "emulator/remote/device/session.h"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "emulator/cudart/finish.h"
#include "emulator/cudart/runtime.h"
#include "emulator/remote/device/remote_program.h"

namespace warpsim::remote {
namespace {

Session* the_session = nullptr;
/// What this thread serves; null elsewhere.
thread_local Endpoint* current = nullptr;

}  // namespace

Session& session() {
  return *the_session;
}

Session::Session(int socket, std::string program) : socket_(socket), program_(std::move(program)) {
  the_session = this;
}

bool Session::greet() {
  Greeting greeting;
  int unwanted = -1;
  if (!receive_with_descriptor(socket_, std::as_writable_bytes(std::span(&greeting, 1)),
                               unwanted)) {
    return false;
  }
  if (unwanted >= 0) ::close(unwanted);
  shared_file_ = make_shared_file("warpsim-shared", kSharedBytes);
  Welcome welcome = {.device_base = GlobalMemory::kBase,
                     .device_bytes = GlobalMemory::kLargestReserve};
  welcome.accepted = greeting.version == kVersion && greeting.cuda_version == WARPSIM_CUDA_MAJOR &&
                     shared_file_ >= 0;
  return send_with_descriptor(socket_, std::as_bytes(std::span(&welcome, 1)), shared_file_) &&
         welcome.accepted != 0;
}

void Session::run() {
  if (!greet()) {
    std::fprintf(stderr, "warpsim: the program does not speak this device's protocol\n");
    ::_exit(3);
  }
  cudart::HostProgram::set(remote_program(*this));
  for (;;) {
    ChannelRequest request;
    int unwanted = -1;
    if (!receive_with_descriptor(socket_, std::as_writable_bytes(std::span(&request, 1)),
                                 unwanted)) {
      break;
    }
    if (unwanted >= 0) ::close(unwanted);
    open_channel();
  }
  gone_ = true;
  end();
}

void Session::open_channel() {
  const std::byte answer{1};
  const int file = channels_ < kMostChannels ? make_shared_file("warpsim-channel", sizeof(Channel)) : -1;
  void* mapped = file < 0 ? MAP_FAILED
                          : ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED,
                                   file, 0);
  if (mapped == MAP_FAILED) {
    (void)send_with_descriptor(socket_, {&answer, 1}, -1);  // no file is a refusal
    if (file >= 0) ::close(file);
    return;
  }
  ++channels_;
  // The memory is zero: it is the client's turn.
  std::thread([this, channel = static_cast<Channel*>(mapped)] {
    serve(*channel);
    ::munmap(channel, sizeof(Channel));
    --channels_;
  }).detach();
  (void)send_with_descriptor(socket_, {&answer, 1}, file);
  ::close(file);
}

void Session::serve(Channel& channel) {
  Endpoint endpoint(channel, Turn::device, [this] { return gone_.load(); });
  current = &endpoint;
  Message message;
  while (endpoint.receive(message)) {
    if (message.kind != Kind::call) end();
    do_call(endpoint, message);
  }
}

void Session::do_call(Endpoint& endpoint, const Message& message) {
  Writer out;
  try {
    Reader in(message.bytes);
    dispatch(message.number, in, out);
  } catch (const ProtocolError& error) {
    std::fprintf(stderr, "warpsim: the program broke the device protocol: %s\n", error.what());
    end();
  }
  if (!endpoint.send(Kind::result, message.number, out.data())) end();
}

std::vector<std::byte> Session::request(Request request, std::span<const std::byte> bytes) {
  Endpoint& endpoint = *current;
  const auto number = static_cast<std::uint32_t>(request);
  if (!endpoint.send(Kind::request, number, bytes)) end();
  Message message;
  for (;;) {
    if (!endpoint.receive(message)) end();
    if (message.kind == Kind::answer && message.number == number) return std::move(message.bytes);
    if (message.kind != Kind::call) end();
    do_call(endpoint, message);  // of a host function that the device asked for
  }
}

std::span<std::byte> Session::window() {
  return current->window();
}

bool Session::in_call() {
  return current != nullptr;
}

void Session::end() {
  // Threads may come here at the same time, and none comes back.
  static std::mutex mutex;
  mutex.lock();
  if (!finished_) {
    if (cudart::Runtime* runtime = cudart::Runtime::existing()) {
      // A kernel may run, and hold it for long.
      std::unique_lock lock(runtime->mutex, std::defer_lock);
      (void)lock.try_lock_for(std::chrono::seconds(2));
      cudart::write_report(*runtime);
    }
  }
  ::_exit(0);
}

}  // namespace warpsim::remote
