#include "grader/testing/postgresql.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <vector>

#include "grader/core/text.h"
#include "grader/process/attached.h"
#include "grader/process/followed.h"

namespace warpgrade::testing {
namespace {
namespace fs = std::filesystem;

/// Where its programs are: those of the newest version that Debian has installed.
fs::path programs() {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", error)) {
    if (fs::exists(entry.path() / "bin" / "initdb", error)) found.push_back(entry.path() / "bin");
  }
  const auto newest = std::max_element(found.begin(), found.end());
  return newest == found.end() ? fs::path() : *newest;
}

/// Who runs it. PostgreSQL refuses to run as root.
const passwd* unprivileged() {
  const passwd* user = ::getpwnam("postgres");
  return user == nullptr ? ::getpwnam("nobody") : user;
}

/// The command line that runs a program as that user.
std::vector<std::string> as_unprivileged(std::vector<std::string> argv) {
  if (::geteuid() != 0) return argv;
  const passwd* user = unprivileged();
  std::vector<std::string> all = {"/usr/bin/setpriv",
                                  fmt::format("--reuid={}", user->pw_uid),
                                  fmt::format("--regid={}", user->pw_gid),
                                  "--clear-groups",
                                  "--pdeathsig=QUIT",
                                  "--"};
  all.insert(all.end(), argv.begin(), argv.end());
  return all;
}

std::string output_of(std::vector<std::string> argv) {
  const std::atomic<bool> stop = false;
  FollowedProgram program;
  program.argv = std::move(argv);
  program.environment = whole_environment();
  program.folder = "/";
  const FollowedEnd end = follow(program, stop);
  if (end.code != 0) throw std::runtime_error(program.argv.back() + ": " + end.err);
  return std::string(trimmed(end.out, "\n"));
}

}  // namespace

std::string PostgresServer::why_not() {
  if (programs().empty()) return "needs postgresql (scripts/setup installs it)";
  if (::geteuid() == 0 && unprivileged() == nullptr) return "needs a user that is not root";
  return {};
}

PostgresServer::PostgresServer() {
  if (::geteuid() == 0) {
    const passwd* user = unprivileged();
    if (::chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
      throw std::runtime_error("no folder for PostgreSQL");
    }
  }
  const std::string data = (folder_.path() / "data").string();
  static_cast<void>(output_of(as_unprivileged(
      {(programs() / "initdb").string(), "--no-sync", "--auth=trust", "--encoding=UTF8",
       "--locale=C.UTF-8", "--username=warpgrade", "--pgdata", data})));
  const fs::path access = fs::path(data) / "pg_hba.conf";
  write_file_atomically(access, "local all locked scram-sha-256\nlocal all all trust\n");
  fs::permissions(access, fs::perms::others_read | fs::perms::group_read, fs::perm_options::add);
  start();
  run(fmt::format("postgresql://warpgrade@/postgres?host={}", folder_.path().string()),
      fmt::format("CREATE ROLE locked SUPERUSER LOGIN PASSWORD '{}'", kPassword));
}

void PostgresServer::start() {
  const std::vector<std::string> argv =
      as_unprivileged({(programs() / "postgres").string(), "-D", (folder_.path() / "data").string(),
                       "-k", folder_.path().string(), "-c", "listen_addresses=", "-c", "fsync=off",
                       "-c", "max_connections=50"});
  const std::string log = (folder_.path() / "log").string();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    ::dup2(file, 1);
    ::dup2(file, 2);
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  const std::vector<std::string> ready = {(programs() / "pg_isready").string(), "-q", "-h",
                                          folder_.path().string()};
  for (int i = 0; i < 400; ++i) {
    try {
      static_cast<void>(output_of(ready));
      return;
    } catch (const std::exception&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  throw std::runtime_error("PostgreSQL does not start: " + read_file(log));
}

void PostgresServer::stop() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGQUIT);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

std::string PostgresServer::new_database() {
  const auto url = [&](const std::string& name) {
    return fmt::format("postgresql://warpgrade@/{}?host={}", name, folder_.path().string());
  };
  const std::string name = fmt::format("test{}", ++databases_);
  run(url("postgres"), "CREATE DATABASE " + name);
  return url(name);
}

std::string PostgresServer::with_password(const std::string& url) {
  return replace_all(url, "warpgrade@", "locked@");
}

std::string PostgresServer::run(const std::string& url, const std::string& sql) const {
  return output_of({(programs() / "psql").string(), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
                    "-d", url, "-c", sql});
}

void PostgresServer::end_connections(const std::string& url) const {
  run(url,
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = "
      "current_database() "
      "AND pid <> pg_backend_pid()");
}

}  // namespace warpgrade::testing
