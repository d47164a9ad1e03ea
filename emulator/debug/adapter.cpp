#include "emulator/debug/adapter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "emulator/debug/messages.h"

namespace warpsim::debug {
namespace {

using Json = nlohmann::json;

constexpr int kProtocolError = 2;
/// Exit code of a child that could not become the program.
constexpr int kNotStarted = 127;

Json capabilities() {
  Json can = Json::object();
  for (const char* name :
       {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints", "supportsLogPoints",
        "supportsEvaluateForHovers", "supportsStepBack", "supportsDataBreakpoints",
        "supportsExceptionInfoRequest", "supportsSteppingGranularity", "supportsDisassembleRequest",
        "supportsSingleThreadExecutionRequests", "supportsTerminateRequest",
        "supportTerminateDebuggee"}) {
    can[name] = true;
  }
  can["exceptionBreakpointFilters"] = {
      {{"filter", "errors"},
       {"label", "Errors that the checks find"},
       {"description", "out of bounds, races, uninitialized reads, divergent barriers, asserts"},
       {"default", true}},
      {{"filter", "warnings"}, {"label", "Warnings of the checks"}, {"default", false}}};
  return can;
}

class Adapter {
 public:
  Adapter(int in, int out, const std::vector<std::string>& command, const Prepare& prepare,
          const Become& become)
      : in_(in), out_(out), command_(command), prepare_(prepare), become_(become) {}

  ~Adapter() {
    end_program();
    for (const int fd : {session_, output_, errors_}) {
      if (fd >= 0) ::close(fd);
    }
  }

  int run() {
    while (!done_) {
      std::array<pollfd, 4> fds = {
          {{in_, POLLIN, 0}, {session_, POLLIN, 0}, {output_, POLLIN, 0}, {errors_, POLLIN, 0}}};
      if (::poll(fds.data(), fds.size(), -1) < 0) {
        // Of a process that handles signals, the one that asks it to end.
        return errno == EINTR ? 0 : kProtocolError;
      }
      // What the program has said comes before what follows from it.
      if (fds[2].revents != 0) pass_output(output_, "stdout");
      if (fds[3].revents != 0) pass_output(errors_, "stderr");
      if (fds[1].revents != 0) from_session();
      if (child_ > 0 && output_ < 0 && errors_ < 0 && session_ < 0) program_ended();
      if (fds[0].revents != 0 && !from_client()) break;
    }
    return code_;
  }

 private:
  // -- client ---------------------------------------------------------------------------------
  void send(Json message) {
    message["seq"] = next_seq_++;
    if (!write_all(out_, framed(message.dump(-1, ' ', false, Json::error_handler_t::replace)))) {
      done_ = true;
    }
  }
  void event(const char* name, Json body) {
    send({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
  }
  void succeed(const Json& request, Json body = Json::object()) {
    send({{"type", "response"},
          {"request_seq", request.value("seq", 0)},
          {"command", request.value("command", "")},
          {"success", true},
          {"body", std::move(body)}});
  }
  void fail(int seq, const std::string& command, const std::string& message) {
    send({{"type", "response"},
          {"request_seq", seq},
          {"command", command},
          {"success", false},
          {"message", message},
          {"body", {{"error", {{"id", 1}, {"format", message}, {"showUser", true}}}}}});
  }

  /// @returns false when the client has gone
  bool from_client() {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = ::read(in_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    try {
      client_.feed({buffer.data(), static_cast<std::size_t>(count)});
      while (!done_) {
        const auto content = client_.next();
        if (!content) break;
        const Json request = Json::parse(*content, nullptr, false);
        if (!request.is_object() || !request.contains("command") ||
            !request["command"].is_string() || !request.contains("seq") ||
            !request["seq"].is_number_integer()) {
          throw BadMessage("a message that is not a request with a command and a number");
        }
        handle(request);
      }
    } catch (const BadMessage& error) {
      event("output", {{"category", "important"},
                       {"output", fmt::format("warpsim: the client sent {}\n", error.what())}});
      event("terminated", Json::object());
      code_ = kProtocolError;
      return false;
    }
    return true;
  }

  void handle(const Json& request) {
    const std::string command = request["command"];
    const int seq = request["seq"];
    if (command == "initialize") return succeed(request, capabilities());
    if (command == "launch") return launch(request);
    if (command == "attach") {
      return fail(seq, command, "only programs that warpsim starts can be debugged: use 'launch'");
    }
    if (command == "disconnect" || command == "terminate") {
      end_program();
      succeed(request);
      event("terminated", Json::object());
      done_ = command == "disconnect";
      return;
    }
    if (session_ >= 0) {
      pending_[seq] = command;
      if (!write_all(session_, framed(request.dump()))) close_session();
      return;
    }
    if (command == "threads") {
      return succeed(request, {{"threads", {{{"id", 1}, {"name", "no program runs"}}}}});
    }
    if (command == "configurationDone") return succeed(request);
    fail(seq, command, started_ ? "the program has ended" : "the program has not been started");
  }

  void launch(const Json& request) {
    const int seq = request["seq"];
    if (started_) return fail(seq, "launch", "the program has been started already");
    DebuggedProgram program;
    Json arguments = request.value("arguments", Json::object());
    try {
      program.command = command_;
      if (arguments.contains("program")) {
        program.command = {arguments["program"].get<std::string>()};
      }
      for (const Json& argument : arguments.value("args", Json::array())) {
        program.command.push_back(argument.get<std::string>());
      }
      program.folder = arguments.value("cwd", "");
      const Json environment = arguments.value("env", Json::object());
      for (const auto& [name, value] : environment.items()) {
        program.environment.emplace_back(name, value.is_null() ? "" : value.get<std::string>());
      }
    } catch (const Json::exception&) {
      return fail(seq, "launch",
                  "'program' and 'cwd' have to be texts, 'args' a list of them, 'env' an object");
    }
    const Says says = [this](const std::string& text) {
      event("output", {{"category", "console"}, {"output", text}});
    };
    if (const std::string problem = prepare_(program, says); !problem.empty()) {
      return fail(seq, "launch", problem);
    }
    if (const std::string problem = start(program); !problem.empty()) {
      return fail(seq, "launch", problem);
    }
    succeed(request);
    (void)write_all(session_, framed(Json({{"type", "request"},
                                           {"seq", -1},
                                           {"command", "warpsim/options"},
                                           {"arguments", arguments}})
                                         .dump()));
  }

  // -- program --------------------------------------------------------------------------------
  std::string start(const DebuggedProgram& program) {
    int session[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, session) != 0 || ::pipe(output) != 0 ||
        ::pipe(errors) != 0) {
      return fmt::format("cannot make a channel to the program: {}", std::strerror(errno));
    }
    child_ = ::fork();
    if (child_ < 0) return fmt::format("cannot start a process: {}", std::strerror(errno));
    if (child_ == 0) {
      // A group of its own: what the program starts ends with it.
      (void)::setpgid(0, 0);
      (void)::dup2(output[1], STDOUT_FILENO);
      (void)::dup2(errors[1], STDERR_FILENO);
      for (const int fd : {session[0], output[0], output[1], errors[0], errors[1]}) ::close(fd);
      if (const int nothing = ::open("/dev/null", O_RDONLY); nothing >= 0) {
        (void)::dup2(nothing, STDIN_FILENO);
        ::close(nothing);
      }
      const std::string problem = become_(program, session[1]);
      fmt::print(stderr, "warpsim: {}\n", problem);
      ::_exit(kNotStarted);
    }
    for (const int fd : {session[1], output[1], errors[1]}) ::close(fd);
    session_ = session[0];
    output_ = output[0];
    errors_ = errors[0];
    started_ = true;
    return {};
  }

  void pass_output(int& fd, const char* category) {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {
      ::close(fd);
      fd = -1;
      return;
    }
    event("output", {{"category", category},
                     {"output", std::string(buffer.data(), static_cast<std::size_t>(count))}});
  }

  void from_session() {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = ::read(session_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return close_session();
    try {
      from_program_.feed({buffer.data(), static_cast<std::size_t>(count)});
      while (const auto content = from_program_.next()) {
        Json message = Json::parse(*content);
        if (message.value("type", "") == "response") {
          const int seq = message.value("request_seq", 0);
          if (pending_.erase(seq) == 0) continue;  // the adapter's own request
        }
        send(std::move(message));
      }
    } catch (const std::exception&) {
      close_session();  // the program wrote into a file descriptor that is not its own
    }
  }

  void close_session() {
    ::close(session_);
    session_ = -1;
    for (const auto& [seq, command] : std::exchange(pending_, {})) {
      fail(seq, command, "the program has ended");
    }
  }

  void program_ended() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    const bool killed = WIFSIGNALED(status);
    const int code = killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (killed) {
      event("output", {{"category", "important"},
                       {"output", fmt::format("The program was ended by signal {} ({}).\n",
                                              WTERMSIG(status), ::strsignal(WTERMSIG(status)))}});
    }
    event("exited", {{"exitCode", code}});
    event("terminated", Json::object());
  }

  void end_program() {
    if (child_ <= 0) return;
    (void)::kill(-child_, SIGKILL);
    (void)::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    if (session_ >= 0) close_session();
  }

  const int in_, out_;
  const std::vector<std::string>& command_;
  const Prepare& prepare_;
  const Become& become_;
  MessageReader client_, from_program_;
  std::map<int, std::string> pending_;  // requests that the session has to answer
  int next_seq_ = 1;
  pid_t child_ = -1;
  bool started_ = false, done_ = false;
  int session_ = -1, output_ = -1, errors_ = -1;
  int code_ = 0;
};

}  // namespace

int serve(int in, int out, const std::vector<std::string>& command, const Prepare& prepare,
          const Become& become) {
  ::signal(SIGPIPE, SIG_IGN);
  return Adapter(in, out, command, prepare, become).run();
}

}  // namespace warpsim::debug
