#include "grader/tests/served.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade::testing {
namespace {

constexpr std::string_view kUrl = "http://127.0.0.1:";
constexpr std::string_view kToken = "/?token=";

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;  // the server has refused the rest
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string read_some(int fd) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(fd, buffer.data(), buffer.size());
  return n > 0 ? std::string(buffer.data(), static_cast<std::size_t>(n)) : std::string();
}

/// A header or an event: lines "name: value".
std::map<std::string, std::string> fields_of(std::string_view block) {
  std::map<std::string, std::string> fields;
  for (const std::string_view line : split_lines(block)) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos) {
      fields[lower(line.substr(0, colon))] = line.substr(colon + 2);
    }
  }
  return fields;
}

}  // namespace

Served::Served(const std::filesystem::path& data, const std::vector<std::string>& options,
               std::vector<std::string> before) {
  std::vector<std::string> argv = std::move(before);
  argv.insert(argv.end(),
              {program(), "serve", "--port", "0", "--data", data.string(), "--device", "emulator"});
  argv.insert(argv.end(), options.begin(), options.end());
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ends[1], 1);
    ::close(ends[0]);
    ::close(ends[1]);
    // Neither evidence of another test, nor attempts as the user's.
    ::setenv("WARPGRADE_CACHE", "none", 1);
    ::setenv("XDG_STATE_HOME", "/dev/null", 1);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  output_ = ends[0];
  std::string said;
  for (std::string part; said.find("Ctrl-C") == std::string::npos;) {
    part = read_some(output_);
    if (part.empty()) throw std::runtime_error("serve did not start: " + said);
    said += part;
  }
  const std::size_t at = said.find(kUrl) + kUrl.size();
  const std::size_t token = said.find(kToken, at);
  port_ = static_cast<std::uint16_t>(std::stoul(said.substr(at, token - at)));
  if (token == std::string::npos) return;  // of a class, whose members sign in
  token_ = said.substr(token + kToken.size(), said.find('\n', token) - token - kToken.size());
}

Served::~Served() {
  if (pid_ > 0) end();
  ::close(output_);
}

void Served::sign_in(const std::string& invitation) {
  const std::string body = "invitation=" + invitation;
  const HttpAnswer answer = raw(fmt::format(
      "POST /sign-in HTTP/1.1\r\n{}Origin: http://127.0.0.1:{}\r\nContent-Type: "
      "application/x-www-form-urlencoded\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      signed_in(), port_, body.size(), body));
  if (answer.status != 303) throw std::runtime_error("not signed in: " + answer.body);
  const std::string& cookie = answer.headers.at("set-cookie");
  const std::size_t begin = cookie.find('=') + 1;
  token_ = cookie.substr(begin, cookie.find(';') - begin);
}

int Served::end(int signal) {
  int status = 0;
  ::kill(pid_, signal);
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return status;
}

std::string Served::signed_in() const {
  return fmt::format("Host: 127.0.0.1:{0}\r\nCookie: warpgrade-{0}={1}\r\n", port_, token_);
}

int Served::connect() const {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd);
    throw std::runtime_error("cannot connect");
  }
  return fd;
}

HttpAnswer Served::raw(const std::string& bytes) const {
  const int fd = connect();
  write_all(fd, bytes);
  std::string all;
  for (std::string part = read_some(fd); !part.empty(); part = read_some(fd)) all += part;
  ::close(fd);
  HttpAnswer answer;
  const std::size_t end = all.find("\r\n\r\n");
  if (!all.starts_with("HTTP/1.") || end == std::string::npos) return answer;
  answer.status = std::stoi(all.substr(9, 3));
  answer.headers = fields_of(std::string_view(all).substr(0, end));
  answer.body = all.substr(end + 4);
  return answer;
}

HttpAnswer Served::get(const std::string& target) const {
  return raw(fmt::format("GET {} HTTP/1.1\r\n{}Connection: close\r\n\r\n", target, signed_in()));
}

HttpAnswer Served::send(const std::string& method, const std::string& target,
                        const nlohmann::json& body) const {
  const std::string text = body.dump();
  return raw(
      fmt::format("{} {} HTTP/1.1\r\n{}Origin: http://127.0.0.1:{}\r\nContent-Type: "
                  "application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                  method, target, signed_in(), port_, text.size(), text));
}

std::vector<std::map<std::string, std::string>> Served::events(
    std::int64_t attempt, const std::string& last_id,
    const std::function<bool(const std::map<std::string, std::string>&)>& enough) const {
  const int fd = connect();
  write_all(fd, fmt::format("GET /attempts/{}/events HTTP/1.1\r\n{}Last-Event-ID: {}\r\n\r\n",
                            attempt, signed_in(), last_id));
  std::vector<std::map<std::string, std::string>> events;
  std::string pending;
  bool done = false;
  for (std::string part = read_some(fd); !part.empty() && !done; part = read_some(fd)) {
    pending += part;
    for (std::size_t end = 0; (end = pending.find("\n\n")) != std::string::npos;) {
      auto event = fields_of(std::string_view(pending).substr(0, end));
      pending.erase(0, end + 2);
      if (!event.contains("event")) continue;
      done = done || (enough && enough(event));
      events.push_back(std::move(event));
    }
    if (done) break;
  }
  ::close(fd);
  return events;
}

std::int64_t Served::begin(const std::string& what, const std::string& source) const {
  const HttpAnswer answer =
      send("POST", "/labs/vecadd/" + what, {{"files", {{"vecadd.cu", source}}}});
  if (answer.status != 201) throw std::runtime_error("not accepted: " + answer.body);
  return answer.json()["id"].get<std::int64_t>();
}

nlohmann::json Served::wait_for(std::int64_t attempt) const {
  events(attempt);
  return get(fmt::format("/attempts/{}", attempt)).json();
}

}  // namespace warpgrade::testing
