#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/remote/endpoint.h"
#include "emulator/remote/message.h"
#include "emulator/remote/protocol.h"

namespace warpsim::remote {

/// One program that uses the device. Each of its threads has a thread here, which does its calls.
class Session {
 public:
  /// @param socket   this side's end
  /// @param program  the file whose symbols and lines name places in host code; empty: whatever
  ///   files the program itself names, which only a program that is trusted may do
  Session(int socket, std::string program);

  /// Serves until the program is gone, and ends the process.
  [[noreturn]] void run();

  [[nodiscard]] const std::string& program() const { return program_; }
  [[nodiscard]] int shared_file() const { return shared_file_; }

  /// Asks something of the thread of the program whose call this thread does.
  /// @returns the answer; does not return when the program is gone
  [[nodiscard]] std::vector<std::byte> request(Request request, std::span<const std::byte> bytes);
  /// The part of the channel through which larger data goes.
  [[nodiscard]] std::span<std::byte> window();
  /// Whether this thread does a call of the program.
  [[nodiscard]] static bool in_call();

  /// Lets the program go on behind the launch that this thread does, while its kernel waits for
  /// host code; does what the program asks for meanwhile, as far as that can be done before the
  /// kernel has ended. @returns false when the program itself waits for the kernel, and nothing
  /// changes
  [[nodiscard]] bool go_on_meanwhile();

  void note_finished() { finished_ = true; }
  /// The program has died or does not keep to the protocol: what is known so far is written.
  [[noreturn]] void end();

 private:
  bool greet();
  void open_channel();
  void serve(Channel& channel);
  void do_call(const Message& message);
  [[nodiscard]] Message next_message();

  const int socket_;
  const std::string program_;
  int shared_file_ = -1;
  std::atomic<std::size_t> channels_ = 0;
  std::atomic<bool> gone_ = false;
  std::atomic<bool> finished_ = false;
};

/// Whether the program need not wait for the result: it is success.
[[nodiscard]] bool is_launch(std::uint32_t number);
/// Whether a call can be done while a kernel waits for host code.
[[nodiscard]] bool can_be_done_meanwhile(std::uint32_t number);
/// Does a call of the program. @throws ProtocolError
void dispatch(std::uint32_t number, Reader& in, Writer& out);

/// The session of this process, once it runs.
[[nodiscard]] Session& session();

}  // namespace warpsim::remote
