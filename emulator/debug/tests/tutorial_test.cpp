#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/debug/tests/dap_client.h"

// The tutorial of docs/debugging.md to the letter: its programs are compiled with its commands, and
// its sessions are held with a debug adapter, line by line.

namespace warpsim::debug {
namespace {

namespace fs = std::filesystem;

/// A block of the page between ``` and ```.
struct Block {
  std::string language;
  std::vector<std::string> lines;
  int line = 0;  // of the page, where it begins
};

std::vector<Block> blocks_of(const fs::path& page) {
  std::vector<Block> blocks;
  std::ifstream in(page);
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), {}, number});
      inside = !inside;
    } else if (inside) {
      blocks.back().lines.push_back(line);
    }
  }
  return blocks;
}

/// A folder that is removed afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "tutorial.XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Holds a session as the page writes it down: a command a line, and below it, indented, what the
/// editor shows.
class Reader {
 public:
  explicit Reader(fs::path folder) : folder_(std::move(folder)) {}

  /// @returns the session with what was really shown
  std::string hold(const Block& block) {
    std::string shown;
    for (const std::string& line : block.lines) {
      if (line.starts_with("  ")) continue;
      shown += line + "\n";
      for (const std::string& answer : answer_to(line)) shown += "  " + answer + "\n";
    }
    return shown;
  }

 private:
  std::vector<std::string> answer_to(const std::string& line) {
    const std::string command = line.substr(0, line.find(' '));
    const std::string rest = line.size() > command.size() ? line.substr(command.size() + 1) : "";
    if (command == "launch") {
      client_ = std::make_unique<DapClient>();
      breakpoints_ = Json::array();
      client_->launch((folder_ / rest).string(), {}, {{"cwd", folder_.string()}});
      return {};
    }
    if (command == "break") return add_breakpoint(rest);
    if (command == "run") {
      client_->configured();
      return stopped();
    }
    if (command == "print") return {client_->value(rest, frame())};
    if (command == "lanes") return lanes(rest);
    if (command == "threads") return threads();
    if (command == "console") {
      (void)client_->request("evaluate", {{"expression", rest}, {"context", "repl"}});
      return stopped();
    }
    for (const auto& [name, request] : {std::pair{"continue", "continue"},
                                        {"step over", "next"},
                                        {"step into", "stepIn"},
                                        {"step back", "stepBack"},
                                        {"reverse", "reverseContinue"}}) {
      if (line != name) continue;
      (void)client_->request(request, {{"threadId", thread_}});
      return stopped();
    }
    throw std::runtime_error("the page has a command that the test does not know: " + line);
  }

  /// "sum.cu:12", "sum.cu:12 if threadIdx.x == 40"
  std::vector<std::string> add_breakpoint(const std::string& text) {
    const std::size_t colon = text.find(':'), condition = text.find(" if ");
    Json one = {{"line", std::stoi(text.substr(colon + 1))}};
    if (condition != text.npos) one["condition"] = text.substr(condition + 4);
    breakpoints_.push_back(one);
    (void)client_->request("setBreakpoints",
                           {{"source", {{"path", (folder_ / text.substr(0, colon)).string()}}},
                            {"breakpoints", breakpoints_}});
    return {};
  }

  std::vector<std::string> stopped() {
    for (int i = 0; !client_->comes("stopped", 0.05); ++i) {
      if (i == 600) throw std::runtime_error("no stop within a minute");
      if (!client_->comes("exited", 0.05)) continue;
      return {fmt::format("exit code {}", client_->wait_for("exited").at("exitCode").get<int>())};
    }
    const Json stop = client_->wait_for("stopped");
    thread_ = stop.at("threadId");
    const Json top = client_->top(thread_);
    return {fmt::format("{}: warp {} at {}:{}", stop.value("description", stop["reason"]),
                        thread_ - 1, top.at("source").at("name").get<std::string>(),
                        top.at("line").get<int>())};
  }

  int frame() { return client_->top(thread_).at("id"); }

  std::vector<std::string> threads() {
    std::vector<std::string> names;
    const Json list = client_->request("threads").at("threads");
    for (const Json& thread : list) names.push_back(thread.at("name"));
    return names;
  }

  /// Eight a line.
  std::vector<std::string> lanes(const std::string& expression) {
    const Json body =
        client_->request("warpsim/lanes", {{"expression", expression}, {"frameId", frame()}});
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < body.at("lanes").size(); ++i) {
      const Json& lane = body.at("lanes").at(i);
      if (i % 8 == 0) rows.emplace_back();
      const std::string text = lane.value("value", lane.value("problem", ""));
      rows.back() += (i % 8 == 0 ? "" : " ") + (lane.at("active") ? text : "-");
    }
    return rows;
  }

  fs::path folder_;
  std::unique_ptr<DapClient> client_;
  Json breakpoints_ = Json::array();
  int thread_ = 1;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("the tutorial's programs and sessions do what its page says", "[debug][tutorial]") {
  const Scratch scratch;
  const std::string path = fs::path(DEBUG_NVCC).parent_path().string();
  Reader reader(scratch.path());
  int programs = 0, sessions = 0;
  for (const Block& block : blocks_of(DEBUG_TUTORIAL)) {
    INFO("line " << block.line << " of the page");
    if (block.language == "cuda") {
      // Its first line is a comment with its name.
      REQUIRE(block.lines.front().starts_with("// "));
      std::ofstream(scratch.path() / block.lines.front().substr(3)) << joined(block.lines);
      ++programs;
    } else if (block.language == "sh") {
      const std::string script = fmt::format("cd '{}' && PATH=\"$PATH:{}\" && {}",
                                             scratch.path().string(), path, joined(block.lines));
      CHECK(std::system(script.c_str()) == 0);
    } else if (block.language == "session") {
      CHECK(reader.hold(block) == joined(block.lines));
      ++sessions;
    }
  }
  CHECK(programs == 3);
  CHECK(sessions == 4);
}

}  // namespace warpsim::debug
