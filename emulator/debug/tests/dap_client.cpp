#include "emulator/debug/tests/dap_client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <stdexcept>

namespace warpsim::debug {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

DapClient::DapClient(const std::vector<std::string>& options) {
  std::vector<std::string> command = {WARPSIM_LAUNCHER, "--dap"};
  command.insert(command.end(), options.begin(), options.end());
  start(std::move(command), {});
}

DapClient::DapClient(const std::vector<std::string>& command, const std::filesystem::path& folder) {
  start(command, folder);
}

void DapClient::start(std::vector<std::string> command, const std::filesystem::path& folder) {
  ::signal(SIGPIPE, SIG_IGN);
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  // Not for the adapter of another client: it would never see the end of this one's messages.
  if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  child_ = ::fork();
  if (child_ == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(126);
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  to_ = to[1];
  from_ = from[0];
}

DapClient::~DapClient() {
  if (child_ > 0) (void)leave();
}

int DapClient::leave() {
  ::close(to_);
  ::close(from_);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void DapClient::send_raw(std::string_view bytes) {
  (void)write_all(to_, bytes);
}

void DapClient::take(Json message) {
  if (message["type"] == "response") {
    responses_.push_back(std::move(message));
    return;
  }
  if (message["event"] == "output") output_ += message["body"]["output"].get<std::string>();
  events_.push_back(std::move(message));
}

bool DapClient::read_more(double seconds) {
  pollfd fd{from_, POLLIN, 0};
  if (::poll(&fd, 1, static_cast<int>(seconds * 1000)) <= 0) return false;
  char buffer[65536];
  const ssize_t count = ::read(from_, buffer, sizeof buffer);
  if (count <= 0) return false;
  reader_.feed({buffer, static_cast<std::size_t>(count)});
  while (const auto content = reader_.next()) take(Json::parse(*content));
  return true;
}

Json DapClient::ask(const std::string& command, const Json& arguments) {
  const int seq = seq_++;
  const Json message = {
      {"seq", seq}, {"type", "request"}, {"command", command}, {"arguments", arguments}};
  send_raw(framed(message.dump()));
  const double end = now() + 120;
  for (;;) {
    for (auto it = responses_.begin(); it != responses_.end(); ++it) {
      if ((*it)["request_seq"] != seq) continue;
      Json response = std::move(*it);
      responses_.erase(it);
      return response;
    }
    const double left = end - now();
    if (left <= 0 || !read_more(left)) throw std::runtime_error("no response to " + command);
  }
}

Json DapClient::request(const std::string& command, const Json& arguments) {
  Json response = ask(command, arguments);
  if (!response.value("success", false)) {
    throw std::runtime_error(command + ": " + response.value("message", "failed"));
  }
  return response.value("body", Json::object());
}

Json DapClient::wait_for(const std::string& event, double seconds) {
  const double end = now() + seconds;
  for (;;) {
    for (auto it = events_.begin(); it != events_.end(); ++it) {
      if ((*it)["event"] != event) continue;
      Json body = it->value("body", Json::object());
      events_.erase(it);
      return body;
    }
    const double left = end - now();
    if (left <= 0 || !read_more(left)) {
      throw std::runtime_error("no event " + event + "; output so far: " + output_);
    }
  }
}

bool DapClient::comes(const std::string& event, double seconds) {
  const double end = now() + seconds;
  for (;;) {
    for (const Json& known : events_) {
      if (known["event"] == event) return true;
    }
    const double left = end - now();
    if (left <= 0 || !read_more(left)) return false;
  }
}

void DapClient::launch(const std::string& program, const std::vector<std::string>& arguments,
                       Json more) {
  (void)request("initialize", {{"adapterID", "warpsim"}, {"clientID", "test"}});
  more["program"] = program;
  more["args"] = arguments;
  (void)request("launch", more);
  (void)wait_for("initialized");
}

Json DapClient::break_at(const std::string& file, const std::vector<int>& lines) {
  Json list = Json::array();
  for (const int line : lines) list.push_back({{"line", line}});
  return request("setBreakpoints", {{"source", {{"path", file}}}, {"breakpoints", list}})
      .at("breakpoints");
}

Json DapClient::frames(int thread) {
  return request("stackTrace", {{"threadId", thread}}).at("stackFrames");
}

std::vector<Json> DapClient::scope(int frame, const std::string& name) {
  const Json body = request("scopes", {{"frameId", frame}});
  for (const Json& scope : body.at("scopes")) {
    if (scope.at("name") != name) continue;
    return request("variables", {{"variablesReference", scope.at("variablesReference")}})
        .at("variables");
  }
  throw std::runtime_error("no scope " + name);
}

std::string DapClient::value(const std::string& expression, int frame) {
  Json arguments = {{"expression", expression}, {"context", "watch"}};
  if (frame != 0) arguments["frameId"] = frame;
  const Json response = ask("evaluate", arguments);
  if (response.value("success", false)) return response.at("body").at("result");
  return "error: " + response.value("message", "");
}

int line_of(const std::string& file, const std::string& remark) {
  std::ifstream in(file);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with("// " + remark)) return number;
  }
  throw std::runtime_error("no line '// " + remark + "' in " + file);
}

}  // namespace warpsim::debug
