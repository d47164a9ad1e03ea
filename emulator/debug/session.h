#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "emulator/debug/control.h"
#include "emulator/debug/expression.h"
#include "emulator/debug/scopes.h"

// The end of the Debug Adapter Protocol that is in the program's process: it answers what needs the
// machine. What is about the process (initialize, launch, disconnect) is the adapter's (adapter.h).

namespace warpsim::debug {

using Json = nlohmann::json;

/// Why a request fails; what() is the message for the user.
class RequestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Session final : public Listener {
 public:
  /// @param socket  a stream of messages in both directions; is owned
  explicit Session(int socket);
  ~Session() override;

  /// Starts to answer, and returns when the client has configured what it wants (or has gone).
  void start();
  [[nodiscard]] Control& control() { return control_; }

  // -- of Listener -------------------------------------------------------------------------------
  void stopped(const Stop& stop) override;
  void changed(const Breakpoint& breakpoint) override;
  void says(const std::string& text) override;
  std::optional<std::uint32_t> lanes_where(WarpContext& warp, std::uint32_t lanes,
                                           const std::string& condition,
                                           std::string& error) override;
  std::string fill_in(WarpContext& warp, int lane, const std::string& message) override;

 private:
  /// A frame of a warp's stack: a function, or one that was inlined into it.
  struct StackFrame {
    WarpContext* warp = nullptr;
    const Frame* frame = nullptr;
    const Inst* at = nullptr;
    std::uint32_t lanes = 0;  // that are in it
    Place place;
  };
  /// What a variablesReference stands for, until the program goes on.
  struct Group {
    enum class Kind : std::uint8_t {
      locals,
      parameters,
      shared,
      globals,
      built_ins,
      registers,
      across,  // the names of which each has 32 values
      lanes,  // the values of `expression` in the lanes of the warp
      value,  // members or elements of `value`
    } kind = Kind::value;
    Thread thread;
    std::uint32_t lanes = 0;
    Value value;
    std::string expression;
  };

  void run();
  void let_program_begin();
  void handle(const Json& request);
  Json answer(const std::string& command, const Json& arguments);
  void send(Json message);
  void event(const char* name, Json body);

  Json set_breakpoints(const Json& arguments);
  Json set_function_breakpoints(const Json& arguments);
  Json set_data_breakpoints(const Json& arguments);
  Json data_breakpoint_info(const Json& arguments);
  Json set_exception_breakpoints(const Json& arguments);
  Json exception_info();
  Json threads();
  Json stack_trace(const Json& arguments);
  Json scopes(const Json& arguments);
  Json variables(const Json& arguments);
  Json evaluate_request(const Json& arguments);
  Json source(const Json& arguments);
  Json disassemble(const Json& arguments);
  // panels.cpp: requests of our own, for panels of editors (docs/debugging.md).
  Json lanes(const Json& arguments);
  Json block(const Json& arguments);
  /// The thread whose variables are shown: {threadId} or {block?, thread}.
  Json set_focus(const Json& arguments);
  Json picture(const Json& arguments);
  void look_at(WarpContext& warp, int lane);
  /// The number of a block in its grid or a thread in its block. @throws RequestError
  [[nodiscard]] static std::uint64_t linear_in(const Dim3& size, const Json& index,
                                               const char* whole, const char* parts);
  void run_to_block(std::uint64_t linear);
  Json resume(const std::string& command, const Json& arguments);
  std::string console(const std::string& text, bool& handled);

  [[nodiscard]] Json to_json(const Breakpoint& breakpoint) const;
  void require_stop();
  [[nodiscard]] WarpContext& warp_of(const Json& arguments);
  [[nodiscard]] std::vector<StackFrame> stack_of(WarpContext& warp);
  /// The split that stands for a warp: the one that runs, or has the lane that is looked at.
  [[nodiscard]] static const WarpSplit* shown_split(const WarpContext& warp, bool runs, int lane);
  /// The instruction that a split executes next, or waits at.
  [[nodiscard]] static const Inst& instruction_of(const WarpSplit& split);
  [[nodiscard]] Thread thread_of(const Json& arguments);
  [[nodiscard]] Thread focus();
  [[nodiscard]] Thread elsewhere(Thread thread, const std::string& where);
  [[nodiscard]] std::string state_of(const WarpContext& warp);
  [[nodiscard]] Json variable(const Thread& thread, const std::string& name, const Value& value,
                              const std::string& expression);
  [[nodiscard]] Json across(const Group& group);
  [[nodiscard]] Json in_lanes(const Group& group);
  [[nodiscard]] Json children(const Group& group, std::uint64_t start, std::uint64_t count);
  [[nodiscard]] std::vector<Named> names_of(Group::Kind kind, const Thread& thread);
  [[nodiscard]] Names names(const Thread& thread);
  int add(Group group);
  [[nodiscard]] Lookup lookup(const Thread& thread);
  [[nodiscard]] Value value_of(const Thread& thread, std::string_view expression);
  /// The bytes of an expression; nothing if it is not an element of shared or global memory.
  [[nodiscard]] std::optional<Watch> watch_of(const Thread& thread, const std::string& expression);

  const int socket_;
  Control control_{*this};
  Types types_;
  std::map<const LoadedModule*, std::unique_ptr<DebugInfo>> infos_;
  std::mutex writing_;
  std::jthread thread_;
  std::mutex configuring_;
  std::condition_variable configured_changed_;
  bool configured_ = false;
  int next_breakpoint_ = 1;
  WarpContext* focus_ = nullptr;  // the warp the user looks at; null: the one that stopped
  std::optional<std::uint32_t> wanted_thread_;  // to be looked at when the wanted block begins
  std::vector<StackFrame> frames_;  // by id - 1
  std::vector<Group> groups_;  // by reference - 1
  std::map<std::string, Watch> data_ids_;  // of dataBreakpointInfo
};

}  // namespace warpsim::debug
