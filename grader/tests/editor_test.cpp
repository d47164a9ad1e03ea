// What an editor meets: the files that `start` writes for it, `debug`, and `status`.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "emulator/debug/tests/dap_client.h"
#include "grader/build/toolchain/compiler.h"
#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;
using testing::contains;
using testing::program;
using testing::right_source;
using testing::shell;
using testing::warpgrade;
using warpsim::debug::DapClient;
namespace {

/// Reads one element past the end of both inputs.
std::string one_too_far() {
  std::string source = replace_all(right_source(), "rest < n; ++rest", "rest <= n; ++rest");
  REQUIRE(source != right_source());
  return source;
}

DapClient debugger(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {program(), "debug"});
  return {arguments, folder};
}

int line_with(const std::string& source, const std::string& text) {
  const auto lines = split_lines(source);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (contains(lines[i], text)) return static_cast<int>(i) + 1;
  }
  return 0;
}

TEST_CASE("start writes files for editors, which understand what check prints",
          "[program][editor]") {
  const ScratchFolder folder;
  const fs::path mine = folder.path() / "mine";
  REQUIRE(warpgrade({"start", "vecadd", mine.string()}).code == 0);

  const json tasks = json::parse(read_file(mine / ".vscode" / "tasks.json"));
  const json& check = tasks.at("tasks").at(0);
  CHECK(check.at("args") == json({"check", "vecadd", "vecadd.cu"}));
  write_file_atomically(mine / "vecadd.cu", one_too_far());
  const std::string printed = shell("$W check vecadd vecadd.cu", mine).out;
  const json& pattern = check.at("problemMatcher").at("pattern");
  const std::regex matcher(pattern.at("regexp").get<std::string>());
  bool found = false;
  for (const std::string_view line : split_lines(printed)) {
    std::match_results<std::string_view::const_iterator> parts;
    if (!std::regex_match(line.begin(), line.end(), parts, matcher)) continue;
    found = found || (parts[1] == "vecadd.cu" && parts[4] == "error" && std::stoi(parts[2]) > 1);
  }
  INFO(printed);
  CHECK(found);

  const json& background = tasks.at("tasks").at(1).at("problemMatcher").at("background");
  const std::string watched =
      shell(
          "$W check vecadd vecadd.cu --watch >log 2>&1 & watch=$!\n"
          "for i in $(seq 600); do grep -q 'waiting for a change' log && break; sleep 0.2; done\n"
          "kill -TERM $watch; wait $watch; cat log",
          mine)
          .out;
  for (const char* name : {"beginsPattern", "endsPattern"}) {
    const std::regex line(background.at(name).get<std::string>());
    CHECK(std::ranges::any_of(split_lines(watched), [&](std::string_view text) {
      return std::regex_search(text.begin(), text.end(), line);
    }));
  }

  const json launch = json::parse(read_file(mine / ".vscode" / "launch.json"));
  CHECK(launch.at("configurations").at(0).at("lab") == "vecadd");
  // What clangd says of a file that it understands.
  write_file_atomically(mine / "vecadd.cu", right_source());
  if (!shell("command -v clangd", mine).ok()) SKIP("no clangd");
  const ProcessResult clangd = shell("clangd --check=vecadd.cu 2>&1", mine);
  INFO(clangd.out);
  CHECK(clangd.ok());
  CHECK_FALSE(contains(clangd.out, "E["));
}

TEST_CASE("debug runs the case that failed in the last check, in the student's own file",
          "[program][editor]") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "vecadd.cu";
  // Right in the first case, which has 100 elements.
  const std::string source =
      replace_all(right_source(), "rest < n; ++rest", "rest < n + (n != 100); ++rest");
  REQUIRE(source != right_source());
  write_file_atomically(file, source);
  const std::string state = (folder.path() / "state").string();
  const std::vector<std::pair<std::string, std::string>> environment = {{"XDG_STATE_HOME", state}};
  CHECK(warpgrade({"check", "vecadd", file.string()}, environment).code == 1);
  DapClient client({"/usr/bin/env", "XDG_STATE_HOME=" + state, program(), "debug", "vecadd"},
                   folder.path());
  (void)client.request("initialize", {{"adapterID", "warpsim"}});
  (void)client.request("launch");
  (void)client.wait_for("initialized");
  client.configured();
  const json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "exception");
  CHECK_THAT(stop.at("description").get<std::string>(), ContainsSubstring("outside an array"));
  const json top = client.top(stop.at("threadId"));
  CHECK(top.at("source").at("path") == fs::canonical(file).string());
  const int line = line_with(source, "rest < n + ");
  CHECK(top.at("line") >= line);
  CHECK(top.at("line") <= line + 2);
  if (!find_nvcc().empty()) {  // compiled with its variables
    CHECK(client.value("n") == "1");
    CHECK(client.value("rest") == "1");
  }
  CHECK_THAT(client.output(), ContainsSubstring("Case \"one element\": n = 1."));
  (void)client.request("disconnect");
  CHECK(client.leave() == 0);
}

TEST_CASE("debug takes a case by name, and a breakpoint in the student's file",
          "[program][editor]") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "vecadd.cu";
  write_file_atomically(file, right_source());
  const json grade = json::parse(
      shell("$W check vecadd vecadd.cu --json g.json >/dev/null; cat g.json", folder.path()).out);
  const std::string name = grade.at("cases").at(1).at("name");
  DapClient client = debugger(folder.path(), {"vecadd", "vecadd.cu", name});
  (void)client.request("initialize", {{"adapterID", "warpsim"}});
  (void)client.request("launch");
  (void)client.wait_for("initialized");
  const int line = line_with(right_source(), "+ b[rest]");
  (void)client.break_at(file.string(), {line});
  client.configured();
  const json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "breakpoint");
  CHECK(client.line(stop.at("threadId")) == line);
  CHECK_THAT(client.output(), ContainsSubstring("Case \"" + name + "\""));
  (void)client.break_at(file.string(), {});
  (void)client.request("continue", {{"threadId", 1}});
  CHECK(client.wait_for("exited").at("exitCode") == 0);
}

TEST_CASE("the debugger runs a submission in the sandbox", "[program][editor][sandbox]") {
  testing::need_sandbox();
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", right_source());
  // Writes down what is started in it.
  const fs::path bwrap = folder.path() / "bin" / "bwrap";
  write_file_atomically(bwrap, "#!/bin/sh\necho \"$@\" >>" + (folder.path() / "log").string() +
                                   "\nPATH=${PATH#*:} exec bwrap \"$@\"\n");
  fs::permissions(bwrap, fs::perms::owner_all);
  DapClient client({"/usr/bin/env", "PATH=" + bwrap.parent_path().string() + ":/usr/bin:/bin",
                    program(), "debug", "vecadd"},
                   folder.path());
  (void)client.request("initialize", {{"adapterID", "warpsim"}});
  (void)client.request("launch");
  (void)client.wait_for("initialized");
  client.configured();
  CHECK(client.wait_for("exited").at("exitCode") == 0);
  bool found = false;
  const std::string log = read_file(folder.path() / "log");
  for (const std::string_view line : split_lines(log)) {
    found = found || (contains(line, "--unshare-net") && contains(line, "/warpsim --check"));
  }
  CHECK(found);
}

TEST_CASE("the debugger does not start what the grader rejects", "[program][editor][sandbox]") {
  const ScratchFolder folder;
  write_file_atomically(
      folder.path() / "vecadd.cu",
      read_file(testing::source_folder() / "grader" / "tests" / "attacks" / "forged_record.cu"));
  DapClient client = debugger(folder.path(), {"vecadd"});
  (void)client.request("initialize", {{"adapterID", "warpsim"}});
  CHECK_THAT(client.ask("launch").at("message").get<std::string>(),
             ContainsSubstring("it does not build: ") && ContainsSubstring("fopen"));
  CHECK(client.leave() == 0);
}

TEST_CASE("debug says what is wrong, to the editor or in the terminal", "[program][editor]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", right_source() + "\nint x = y;\n");
  DapClient client = debugger(folder.path(), {"vecadd"});
  (void)client.request("initialize", {{"adapterID", "warpsim"}});
  CHECK_THAT(client.ask("launch").at("message").get<std::string>(),
             ContainsSubstring("it does not build: vecadd.cu:"));
  CHECK_THAT(client.output(), ContainsSubstring("error: ") && ContainsSubstring("identifier"));
  CHECK_THAT(client.ask("launch", {{"program", "a.out"}}).at("message").get<std::string>(),
             ContainsSubstring("the lab and the file decide what runs"));
  CHECK(client.leave() == 0);

  const ProcessResult other = shell("$W debug vecadd vecadd.cu smal </dev/null", folder.path());
  CHECK(other.code == 2);
  CHECK_THAT(other.err, ContainsSubstring("lab vecadd has no visible case 'smal'"));
  const ProcessResult archive = shell("$W debug vecadd none.cu </dev/null", folder.path());
  CHECK(archive.code == 0);  // the editor would be told, and has gone
  const ProcessResult terminal =
      shell("script -qec \"$W debug vecadd\" /dev/null </dev/null", folder.path());
  CHECK(terminal.code == 2);
  CHECK_THAT(terminal.out, ContainsSubstring("editors start this command"));
}

TEST_CASE("status shows what the user's checks gave, and due dates of a course",
          "[program][editor]") {
  const ScratchFolder folder;
  const std::string state = (folder.path() / "state").string();
  const std::vector<std::pair<std::string, std::string>> environment = {{"XDG_STATE_HOME", state}};
  const fs::path file = folder.path() / "vecadd.cu";
  CHECK_THAT(warpgrade({"status"}, environment).out, ContainsSubstring("\n0 of "));
  write_file_atomically(file, right_source());
  REQUIRE(warpgrade({"check", "vecadd", file.string()}, environment).code == 0);
  write_file_atomically(file, one_too_far());
  REQUIRE(warpgrade({"check", "vecadd", file.string()}, environment).code == 1);
  const fs::path course = folder.path() / "course.toml";
  write_file_atomically(course, "schema = 1\n[labs.vecadd]\ndue = \"2020-01-01T00:00:00Z\"\n");
  const ProcessResult status = warpgrade({"status", "--course", course.string()}, environment);
  INFO(status.out << status.err);
  CHECK(status.code == 0);
  std::string row;
  for (const std::string_view line : split_lines(status.out)) {
    if (contains(line, " vecadd ")) row = line;
  }
  CHECK(std::regex_search(
      row, std::regex("vecadd +100/100 +[0-9.]+/100 +2 +over +[1-9]/[1-9] .* [1-9][0-9]* cases")));
  CHECK_THAT(status.out, ContainsSubstring("\n1 of "));
  // A line that cannot be read is left out.
  (void)shell("echo '{\"at\": 5' >> state/warpgrade/attempts/vecadd.jsonl", folder.path());
  CHECK(warpgrade({"status", "--course", course.string()}, environment).out == status.out);
  CHECK(warpgrade({"status", "--course", "none.toml"}, environment).code == 2);
}

}  // namespace
}  // namespace warpgrade
