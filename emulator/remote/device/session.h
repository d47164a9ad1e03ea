#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/remote/endpoint.h"
#include "emulator/remote/message.h"
#include "emulator/remote/protocol.h"

namespace warpsim::remote {

/// One program that uses the device. Each of its threads has a thread here, which executes its
/// calls.
class Session {
 public:
  /// @param socket   this side's end
  /// @param program  the file whose symbols and lines locate host code; empty: files named by the
  ///   program itself, which must then be trusted
  Session(int socket, std::string program);

  /// Serves until the program has ended, then ends the process.
  [[noreturn]] void run();

  [[nodiscard]] const std::string& program() const { return program_; }
  [[nodiscard]] int shared_file() const { return shared_file_; }

  /// Sends a request to the program's thread whose call this thread executes.
  /// @returns the answer; does not return if the program has ended
  [[nodiscard]] std::vector<std::byte> request(Request request, std::span<const std::byte> bytes);
  /// The part of the channel for larger data.
  [[nodiscard]] std::span<std::byte> window();
  /// Whether this thread executes a call of the program.
  [[nodiscard]] static bool in_call();

  /// Lets the program continue after the launch in this thread, while its kernel waits for host
  /// code; executes the program's calls that are possible before the kernel has ended. @returns
  /// false if the program itself waits for the kernel, so that nothing can change
  [[nodiscard]] bool go_on_meanwhile();

  void note_finished() { finished_ = true; }
  [[nodiscard]] bool finished() const { return finished_; }
  /// The program has died: writes the report so far.
  [[noreturn]] void end();
  /// The program violates the protocol: likewise, and the call's outputs do not count.
  /// @param violation  what the program did, as after "the program "
  [[noreturn]] void end(std::string_view violation);

 private:
  bool greet();
  void open_channel();
  void serve(Channel& channel);
  void do_call(const Message& message);
  /// dispatch(), with an end of the session instead of an exception.
  void execute(const Message& message, Writer& out);
  [[nodiscard]] Message next_message();

  const int socket_;
  const std::string program_;
  int shared_file_ = -1;
  std::atomic<std::size_t> channels_ = 0;
  std::atomic<bool> gone_ = false;
  std::atomic<bool> finished_ = false;
};

/// Whether the program need not wait for the result, which is success.
[[nodiscard]] bool is_launch(std::uint32_t number);
/// Whether a call is possible while a kernel waits for host code.
[[nodiscard]] bool can_be_done_meanwhile(std::uint32_t number);
/// Executes a call of the program, if it is legal now (call_rules.h).
/// @throws ProtocolError  says what the program did
void dispatch(std::uint32_t number, Reader& in, Writer& out);

/// The session of this process, once it runs.
[[nodiscard]] Session& session();

}  // namespace warpsim::remote
