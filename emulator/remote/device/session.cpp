#include "emulator/remote/device/session.h"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "emulator/cudart/finish.h"
#include "emulator/cudart/outputs_file.h"
#include "emulator/cudart/runtime.h"
#include "emulator/remote/device/remote_program.h"

namespace warpsim::remote {
namespace {

Session* the_session = nullptr;

/// The state of a channel in its thread.
struct Conversation {
  Endpoint& endpoint;
  std::uint32_t number = 0;  // of the outermost call in progress
  int depth = 0;  // nested calls in progress
  bool answered = false;  // the outermost call's result has been sent
  std::optional<Message> next;  // received in the meantime; must wait for the call's end
  std::chrono::steady_clock::time_point waits_since = {};
};
/// This thread's conversation; null in other threads.
thread_local Conversation* current = nullptr;

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
    ::_exit(0);  // the program ended before its greeting
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
  const int file =
      channels_ < kMostChannels ? make_shared_file("warpsim-channel", sizeof(Channel)) : -1;
  void* mapped =
      file < 0 ? MAP_FAILED
               : ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) {
    (void)send_with_descriptor(socket_, {&answer, 1}, -1);  // without a file it is a refusal
    if (file >= 0) ::close(file);
    return;
  }
  ++channels_;
  // The memory is zero, so it is the client's turn.
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
  Conversation conversation{.endpoint = endpoint, .next = {}};
  current = &conversation;
  for (;;) {
    Message message;
    if (conversation.next) {
      message = std::move(*std::exchange(conversation.next, std::nullopt));
    } else if (!endpoint.receive(message)) {
      return;
    }
    if (message.kind != Kind::call) end("sent a message that is not a call");
    conversation.answered = false;
    do_call(message);
  }
}

void Session::execute(const Message& message, Writer& out) {
  try {
    Reader in(message.bytes);
    dispatch(message.number, in, out);
  } catch (const ProtocolError& error) {
    end(error.what());
  } catch (const std::bad_alloc&) {
    end("made a call that needs more memory than there is");
  } catch (const std::length_error&) {
    end("made a call that needs more memory than there is");
  }
}

void Session::do_call(const Message& message) {
  Conversation& conversation = *current;
  if (conversation.depth++ == 0) conversation.number = message.number;
  Writer out;
  execute(message, out);
  if (--conversation.depth == 0 && conversation.answered) return;
  if (!conversation.endpoint.send(Kind::result, message.number, out.data())) end();
}

std::vector<std::byte> Session::request(Request request, std::span<const std::byte> bytes) {
  Conversation& conversation = *current;
  // A program that has continued listens again when it makes its next call.
  const bool listens = !conversation.answered || conversation.next || conversation.depth > 1;
  if (!listens) conversation.next = next_message();
  const auto number = static_cast<std::uint32_t>(request);
  if (!conversation.endpoint.send(Kind::request, number, bytes)) end();
  for (;;) {
    Message message;
    if (!conversation.endpoint.receive(message)) end();
    if (message.kind == Kind::answer && message.number == number) return std::move(message.bytes);
    if (message.kind != Kind::call) end("sent a message that is not an answer");
    do_call(message);  // of a host function that the device asked for
  }
}

Message Session::next_message() {
  Message message;
  if (!current->endpoint.receive(message)) end();
  if (message.kind != Kind::call) end("sent a message that is not a call");
  return message;
}

bool Session::go_on_meanwhile() {
  // How long another thread of the program may take to change the memory that the kernel waits for.
  constexpr auto kPatience = std::chrono::seconds(1);
  using Clock = std::chrono::steady_clock;
  Conversation& conversation = *current;
  if (conversation.depth != 1 || !is_launch(conversation.number)) return false;
  if (!conversation.answered) {
    Writer success;
    success.value(cudaSuccess);
    if (!conversation.endpoint.send(Kind::result, conversation.number, success.data())) end();
    conversation.answered = true;
  }
  if (conversation.next) {
    if (Clock::now() - conversation.waits_since > kPatience) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    return true;
  }
  if (!conversation.endpoint.wait(1)) {
    if (gone_) end();
    return true;
  }
  Message message = next_message();
  if (can_be_done_meanwhile(message.number)) {
    Writer out;
    ++conversation.depth;
    execute(message, out);
    --conversation.depth;
    if (!cudart::Runtime::get().streams.take_must_wait()) {
      if (!conversation.endpoint.send(Kind::result, message.number, out.data())) end();
      return true;
    }
  }
  conversation.next = std::move(message);
  conversation.waits_since = Clock::now();
  return true;
}

std::span<std::byte> Session::window() {
  return current->endpoint.window();
}

bool Session::in_call() {
  return current != nullptr;
}

void Session::end(std::string_view violation) {
  if (finished_) {
    // What counts is written. Another thread of a program that ends may still make calls; so that
    // its exit code stays its own, it is given time to end.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    end();
  }
  std::fprintf(stderr, "warpsim: the program %.*s\n", static_cast<int>(violation.size()),
               violation.data());
  const std::string& file = cudart::process_settings().call_outputs_path;
  // A thread that ends the session meanwhile has the same reason or a better one.
  static std::mutex mutex;
  mutex.lock();
  if (!file.empty()) {
    (void)cudart::write_outputs(file, {.violation = std::string(violation), .arrays = {}});
  }
  end();
}

void Session::end() {
  // Several threads may end the session at the same time; none returns.
  static std::mutex mutex;
  mutex.lock();
  if (!finished_) {
    if (cudart::Runtime* runtime = cudart::Runtime::existing()) {
      // A running kernel may hold the lock for long.
      std::unique_lock lock(runtime->mutex, std::defer_lock);
      (void)lock.try_lock_for(std::chrono::seconds(2));
      cudart::write_report(*runtime);
    }
  }
  ::_exit(0);
}

}  // namespace warpsim::remote
