#include "emulator/debug/session.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <utility>

#include "emulator/debug/messages.h"
#include "emulator/machine/for_lanes.h"

// The protocol's side of a session: reading requests, answering, telling events.

namespace warpsim::debug {

Session::Session(int socket) : socket_(socket) {}

Session::~Session() {
  ::close(socket_);
}

void Session::start() {
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::jthread([this] { run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  event("initialized", Json::object());
  std::unique_lock lock(configuring_);
  configured_changed_.wait(lock, [this] { return configured_; });
}

void Session::run() {
  MessageReader reader;
  std::string buffer(1 << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(socket_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    reader.feed({buffer.data(), static_cast<std::size_t>(count)});
    // The adapter has read the messages before: what comes here is well-formed.
    while (const auto content = reader.next()) handle(Json::parse(*content));
  }
  {
    const std::lock_guard lock(control_.mutex);
    control_.let_go();
  }
  let_program_begin();
}

void Session::let_program_begin() {
  const std::lock_guard lock(configuring_);
  configured_ = true;
  configured_changed_.notify_all();
}

void Session::send(Json message) {
  const std::lock_guard lock(writing_);
  // Texts of programs need not be UTF-8.
  (void)write_all(socket_, framed(message.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

void Session::event(const char* name, Json body) {
  send({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
}

void Session::handle(const Json& request) {
  const std::string command = request.value("command", "");
  Json response = {{"type", "response"},
                   {"request_seq", request.value("seq", 0)},
                   {"command", command},
                   {"success", true}};
  try {
    const Json arguments = request.value("arguments", Json::object());
    const std::lock_guard lock(control_.mutex);
    response["body"] = answer(command, arguments);
    // The answer comes before the events that follow from it, and before the program's end.
    send(response);
    if (command == "configurationDone") let_program_begin();
    return;
  } catch (const RequestError& error) {
    response["message"] = error.what();
  } catch (const ExpressionError& error) {
    response["message"] = error.what();
  } catch (const Json::exception&) {
    response["message"] =
        fmt::format("the arguments of '{}' are not those of the protocol", command);
  }
  response["success"] = false;
  response["body"] = {{"error", {{"id", 1}, {"format", response["message"]}, {"showUser", true}}}};
  send(response);
}

Json Session::answer(const std::string& command, const Json& arguments) {
  if (command == "setBreakpoints") return set_breakpoints(arguments);
  if (command == "setFunctionBreakpoints") return set_function_breakpoints(arguments);
  if (command == "setDataBreakpoints") return set_data_breakpoints(arguments);
  if (command == "dataBreakpointInfo") return data_breakpoint_info(arguments);
  if (command == "setExceptionBreakpoints") return set_exception_breakpoints(arguments);
  if (command == "exceptionInfo") return exception_info();
  if (command == "threads") return threads();
  if (command == "stackTrace") return stack_trace(arguments);
  if (command == "scopes") return scopes(arguments);
  if (command == "variables") return variables(arguments);
  if (command == "evaluate") return evaluate_request(arguments);
  if (command == "source") return source(arguments);
  if (command == "disassemble") return disassemble(arguments);
  if (command == "warpsim/lanes") return lanes(arguments);
  if (command == "warpsim/block") return block(arguments);
  if (command == "warpsim/focus") return set_focus(arguments);
  if (command == "warpsim/picture") return picture(arguments);
  if (command == "pause") {
    if (control_.state() == Control::State::host) {
      says("Host code runs now, which is not debugged; the next kernel stops at its beginning.\n");
    }
    control_.pause();
    return Json::object();
  }
  if (command == "configurationDone") return Json::object();
  if (command == "warpsim/options") {  // the adapter's, from `launch`
    control_.stops_at_entry = arguments.value("stopOnEntry", false);
    return Json::object();
  }
  for (const char* resumes : {"continue", "next", "stepIn", "stepOut", "stepBack",
                              "reverseContinue", "warpsim/runToBarrier", "warpsim/focusBlock"}) {
    if (command == resumes) return resume(command, arguments);
  }
  throw RequestError(fmt::format("'{}' is not supported", command));
}

void Session::require_stop() {
  switch (control_.state()) {
    case Control::State::host:
      throw RequestError("no kernel runs: host code is not debugged");
    case Control::State::running:
      throw RequestError("the kernel runs; pause it first");
    case Control::State::stopped:
      return;
  }
}

// -- events ---------------------------------------------------------------------------------------

void Session::stopped(const Stop& stop) {
  frames_.clear();
  groups_.clear();
  focus_ = control_.stopped_warp();
  if (const auto thread = std::exchange(wanted_thread_, std::nullopt)) {
    focus_ = control_.block()->warps[*thread / kWarpSize].get();
    control_.set_lane(static_cast<int>(*thread % kWarpSize));
  }
  Json body = {{"reason", stop.reason},
               {"threadId", focus_->warp.warp_index + 1},
               {"allThreadsStopped", true}};
  if (!stop.description.empty()) body["description"] = stop.description;
  if (!stop.text.empty()) body["text"] = stop.text;
  if (!stop.breakpoints.empty()) body["hitBreakpointIds"] = stop.breakpoints;
  if (!stop.finding.empty()) says(stop.finding);
  event("stopped", std::move(body));
}

void Session::changed(const Breakpoint& breakpoint) {
  event("breakpoint", {{"reason", "changed"}, {"breakpoint", to_json(breakpoint)}});
}

void Session::says(const std::string& text) {
  event("output", {{"category", "console"}, {"output", text}});
}

std::optional<std::uint32_t> Session::lanes_where(WarpContext& warp, std::uint32_t lanes,
                                                  const std::string& condition,
                                                  std::string& error) {
  std::uint32_t result = 0;
  try {
    for_lanes(lanes, [&](std::size_t lane) {
      const Thread thread{&warp, &warp.frame(), control_.at, static_cast<int>(lane)};
      if (is_true(thread, value_of(thread, condition))) result |= 1u << lane;
    });
  } catch (const ExpressionError& why) {
    error = why.what();
    return std::nullopt;
  }
  return result;
}

std::string Session::fill_in(WarpContext& warp, int lane, const std::string& message) {
  const Thread thread{&warp, &warp.frame(), control_.at, lane};
  std::string text;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const std::size_t close = message[i] == '{' ? message.find('}', i) : message.npos;
    if (close == message.npos) {
      text += message[i];
      continue;
    }
    try {
      text += show(thread, value_of(thread, message.substr(i + 1, close - i - 1)));
    } catch (const ExpressionError& error) {
      text += fmt::format("<{}>", error.what());
    }
    i = close;
  }
  return text;
}

// -- breakpoints ----------------------------------------------------------------------------------

Json Session::to_json(const Breakpoint& breakpoint) const {
  Json json = {{"id", breakpoint.id}, {"verified", breakpoint.verified}};
  if (!breakpoint.file.empty()) {
    json["line"] = breakpoint.verified ? breakpoint.line : breakpoint.asked_line;
    json["source"] = {{"path", breakpoint.file}};
  }
  if (!breakpoint.message.empty()) json["message"] = breakpoint.message;
  return json;
}

Json Session::set_breakpoints(const Json& arguments) {
  const std::string file = arguments.at("source").value("path", "");
  if (file.empty()) throw RequestError("breakpoints need a source with a path");
  std::erase_if(control_.breakpoints, [&](const Breakpoint& b) { return b.file == file; });
  std::vector<int> ids;
  for (const Json& asked : arguments.value("breakpoints", Json::array())) {
    Breakpoint breakpoint;
    breakpoint.id = next_breakpoint_++;
    breakpoint.file = file;
    breakpoint.asked_line = breakpoint.line = asked.at("line").get<std::uint32_t>();
    breakpoint.condition = asked.value("condition", "");
    breakpoint.hit_condition = asked.value("hitCondition", "");
    breakpoint.log_message = asked.value("logMessage", "");
    breakpoint.message = "verified when the first kernel of its module runs";
    ids.push_back(breakpoint.id);
    control_.breakpoints.push_back(std::move(breakpoint));
  }
  control_.bind_breakpoints();
  Json list = Json::array();
  for (const Breakpoint& breakpoint : control_.breakpoints) {
    if (std::ranges::find(ids, breakpoint.id) != ids.end()) list.push_back(to_json(breakpoint));
  }
  return {{"breakpoints", list}};
}

Json Session::set_function_breakpoints(const Json& arguments) {
  std::erase_if(control_.breakpoints, [](const Breakpoint& b) { return b.file.empty(); });
  for (const Json& asked : arguments.value("breakpoints", Json::array())) {
    Breakpoint breakpoint;
    breakpoint.id = next_breakpoint_++;
    breakpoint.function = asked.at("name").get<std::string>();
    breakpoint.condition = asked.value("condition", "");
    breakpoint.hit_condition = asked.value("hitCondition", "");
    breakpoint.message = "verified when the first kernel of its module runs";
    control_.breakpoints.push_back(std::move(breakpoint));
  }
  control_.bind_breakpoints();
  Json list = Json::array();
  for (const Breakpoint& breakpoint : control_.breakpoints) {
    if (breakpoint.file.empty()) list.push_back(to_json(breakpoint));
  }
  return {{"breakpoints", list}};
}

std::optional<Watch> Session::watch_of(const Thread& thread, const std::string& expression) {
  const Value value = value_of(thread, expression);
  if (!value.problem.empty() || !value.in_memory || value.space == ptx::Space::local) {
    return std::nullopt;
  }
  Watch watch;
  watch.name = expression;
  watch.space = value.space;
  watch.begin = value.address;
  watch.end = value.address + value.type->size;
  watch.block = thread.block().linear;
  return watch;
}

Json Session::data_breakpoint_info(const Json& arguments) {
  require_stop();
  const std::string name = arguments.at("name").get<std::string>();
  Thread thread = focus();
  std::string expression = name;
  if (const int reference = arguments.value("variablesReference", 0);
      reference > 0 && static_cast<std::size_t>(reference) <= groups_.size()) {
    const Group& group = groups_[static_cast<std::size_t>(reference) - 1];
    thread = group.thread;
    if (!group.expression.empty()) {
      expression = group.expression + (name.starts_with('[') ? "" : ".") + name;
    }
  } else if (arguments.contains("frameId")) {
    thread = thread_of(arguments);
  }
  const std::optional<Watch> watch = watch_of(thread, expression);
  if (!watch) {
    return {{"dataId", nullptr},
            {"description", "only elements of shared and global memory can be watched"}};
  }
  const std::string id =
      fmt::format("{}:{}:{}", static_cast<int>(watch->space), watch->begin, watch->end);
  data_ids_[id] = *watch;
  return {{"dataId", id},
          {"description", fmt::format("{} ({} bytes)", expression, watch->end - watch->begin)},
          {"accessTypes", {"read", "write", "readWrite"}}};
}

Json Session::set_data_breakpoints(const Json& arguments) {
  control_.watches.clear();
  Json list = Json::array();
  for (const Json& asked : arguments.value("breakpoints", Json::array())) {
    const auto known = data_ids_.find(asked.at("dataId").get<std::string>());
    if (known == data_ids_.end()) {
      list.push_back({{"verified", false}, {"message", "this place is not known in this run"}});
      continue;
    }
    Watch watch = known->second;
    const std::string type = asked.value("accessType", "write");
    watch.id = next_breakpoint_++;
    watch.reads = type != "write";
    watch.writes = type != "read";
    watch.condition = asked.value("condition", "");
    watch.hit_condition = asked.value("hitCondition", "");
    list.push_back({{"id", watch.id}, {"verified", true}});
    control_.watches.push_back(std::move(watch));
  }
  return {{"breakpoints", list}};
}

Json Session::set_exception_breakpoints(const Json& arguments) {
  control_.stops_on_errors = control_.stops_on_warnings = false;
  for (const Json& filter : arguments.value("filters", Json::array())) {
    if (filter == "errors") control_.stops_on_errors = true;
    if (filter == "warnings") control_.stops_on_warnings = true;
  }
  return Json::object();
}

Json Session::exception_info() {
  require_stop();
  const Stop& stop = control_.stop();
  if (stop.finding.empty()) throw RequestError("the program does not stand at a finding");
  return {{"exceptionId", stop.description},
          {"description", stop.text},
          {"breakMode", "always"},
          {"details", {{"message", stop.finding}}}};
}

// -- going on -------------------------------------------------------------------------------------

std::uint64_t Session::linear_in(const Dim3& size, const Json& index, const char* whole,
                                 const char* parts) {
  const auto list = index.get<std::vector<std::uint32_t>>();
  const auto part = [&](std::size_t i) { return i < list.size() ? list[i] : 0u; };
  if (part(0) >= size.x || part(1) >= size.y || part(2) >= size.z) {
    throw RequestError(
        fmt::format("the {} has {} x {} x {} {}", whole, size.x, size.y, size.z, parts));
  }
  return part(0) + std::uint64_t{size.x} * (part(1) + std::uint64_t{size.y} * part(2));
}

void Session::run_to_block(std::uint64_t linear) {
  if (!control_.run_to_block(linear)) {
    throw RequestError("this block has begun already; step back to the kernel's beginning first");
  }
}

Json Session::resume(const std::string& command, const Json& arguments) {
  require_stop();
  const bool by_instruction = arguments.value("granularity", "statement") == "instruction";
  const bool only = arguments.value("singleThread", false);
  std::string why;
  const bool back = command == "stepBack" || command == "reverseContinue";
  if (back && !control_.can_go_back(why)) throw RequestError(why);
  if (command == "continue") {
    control_.go_on();
  } else if (command == "reverseContinue") {
    control_.reverse_continue();
  } else if (command == "warpsim/focusBlock") {
    run_to_block(linear_in(control_.launch()->grid, arguments.at("block"), "grid", "blocks"));
  } else {
    WarpContext& warp = warp_of(arguments);
    if (command == "warpsim/runToBarrier") {
      control_.run_to_barrier(warp);
    } else if (command == "stepBack") {
      control_.step_back(warp, by_instruction ? Step::instruction : Step::over);
    } else {
      const Step how = by_instruction         ? Step::instruction
                       : command == "stepIn"  ? Step::into
                       : command == "stepOut" ? Step::out
                                              : Step::over;
      control_.step(warp, how, only);
    }
  }
  return {{"allThreadsContinued", true}};
}

}  // namespace warpsim::debug
