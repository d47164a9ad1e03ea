#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include "emulator/debug/tests/dap_client.h"
#include "emulator/recording/recording.h"

// The requests that are our own, for panels of editors, and the focus.

namespace warpsim::debug {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

using recording::Block;
using recording::Recording;

const std::string kSource = DEBUG_SOURCE;

/// A file that a picture is written to.
struct File {
  explicit File(const std::string& name)
      : path(std::filesystem::temp_directory_path() / fmt::format("{}.{}", ::getpid(), name)) {}
  ~File() { std::filesystem::remove(path); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] std::string text() const {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  [[nodiscard]] Recording recording() const { return recording::decode(text()); }
  const std::filesystem::path path;
};

/// Stops `smooth` at the line with this remark. @returns the thread
int stop_at(DapClient& client, const std::string& remark) {
  client.launch(DEBUG_PROGRAMS, {"smooth"});
  (void)client.break_at(kSource, {line_of(kSource, remark)});
  client.configured();
  return client.wait_for("stopped").at("threadId");
}

}  // namespace

TEST_CASE("warpsim/lanes gives an expression in all lanes, and what the active ones have in common",
          "[debug][panels]") {
  DapClient client;
  const int thread = stop_at(client, "even");
  const int frame = client.top(thread).at("id");
  const auto lanes = [&](const std::string& expression) {
    return client.request("warpsim/lanes", {{"expression", expression}, {"frameId", frame}});
  };
  const int first = (thread - 1) * 32;
  const Json i = lanes("i");
  REQUIRE(i.at("lanes").size() == 32);
  CHECK(i.at("type") == "int");
  CHECK(i.at("equal") == false);
  CHECK(i.at("min") == first);
  CHECK(i.at("max") == first + 30);  // the odd lanes are elsewhere
  CHECK(i.at("lanes").at(2).at("value") == std::to_string(first + 2));
  CHECK(i.at("lanes").at(2).at("active") == true);
  CHECK(i.at("lanes").at(3).at("active") == false);
  CHECK(lanes("n").at("equal") == true);
  const Json none = lanes("nothing");
  CHECK(none.at("lanes").at(0).at("problem") == "no variable nothing is known here");
  CHECK_FALSE(none.contains("min"));
  CHECK(client.ask("warpsim/lanes").at("message") ==
        "the arguments of 'warpsim/lanes' are not those of the protocol");
}

TEST_CASE("warpsim/block gives each warp of the block with the states and lines of its lanes",
          "[debug][panels]") {
  DapClient client;
  (void)stop_at(client, "load");
  const Json body = client.request("warpsim/block");
  CHECK_THAT(body.at("kernel"), StartsWith("smooth("));
  CHECK(body.at("grid") == Json({2, 1, 1}));
  CHECK(body.at("block") == Json({0, 0, 0}));
  REQUIRE(body.at("warps").size() == 2);
  const Json& place = body.at("warps").at(0).at("places").at(0);
  CHECK(place.at("state") == "stopped");
  CHECK(place.at("line") == line_of(kSource, "load"));
  CHECK(place.at("lanes").size() == 32);
  CHECK(body.at("warps").at(1).at("places").at(0).at("state") == "ready");
  CHECK(body.at("warps").at(1).at("threads") == 32);
}

TEST_CASE("the focus moves to a thread of the block, and to one of another block",
          "[debug][panels]") {
  DapClient client;
  (void)stop_at(client, "load");
  const auto say = [&](const std::string& text) {
    return client.ask("evaluate", {{"expression", text}, {"context", "repl"}});
  };
  CHECK(say("focus (37,0,0)").at("success") == true);
  CHECK(client.wait_for("stopped").at("threadId") == 2);
  CHECK(client.value("threadIdx.x") == "37");
  CHECK(client.value("blockIdx.x") == "0");
  (void)client.request("warpsim/focus", {{"threadId", 1}});
  CHECK(client.wait_for("stopped").at("threadId") == 1);
  CHECK(client.value("threadIdx.x") == "0");

  CHECK(client.value("blockIdx.x @block (0,0,0)") == "0");
  CHECK_THAT(client.value("blockIdx.x @block (1,0,0)"),
             ContainsSubstring("this block has not begun"));
  CHECK_THAT(client.value("n @blocks"), ContainsSubstring("there are @lane N and @block (x,y,z)"));

  CHECK(say("focus (64,0,0)").at("message") == "the block has 64 x 1 x 1 threads");
  CHECK(say("focus (2,0,0) (0,0,0)").at("message") == "the grid has 2 x 1 x 1 blocks");
  CHECK_THAT(say("focus here").at("message"), StartsWith("write 'focus (17,0,0)'"));

  client.break_at(kSource, {});
  CHECK(say("focus (1,0,0) (40,0,0)").at("success") == true);
  CHECK(client.wait_for("stopped").at("threadId") == 2);
  CHECK(client.value("blockIdx.x") == "1");
  CHECK(client.value("threadIdx.x") == "40");
}

TEST_CASE("from a race the debugger goes to the other access, and says where there is none",
          "[debug][panels]") {
  DapClient client({"--check", "races"});
  client.launch(DEBUG_PROGRAMS, {"race"});
  client.configured();
  CHECK(client.wait_for("stopped").at("description") == "race in shared memory");
  (void)client.request("evaluate", {{"expression", "other side"}, {"context", "repl"}});
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("description") == "the other access of the race");
  CHECK(stop.at("threadId") == 1);
  CHECK(client.line(1) == line_of(kSource, "read too early"));
  CHECK(client.ask("evaluate", {{"expression", "other side"}, {"context", "repl"}}).at("message") ==
        "the program does not stand at a race");
}

TEST_CASE("at a race between blocks the debugger stops at the second access, and goes to the first",
          "[debug][panels]") {
  DapClient client({"--check", "races"});
  client.launch(DEBUG_PROGRAMS, {"blocks"});
  client.configured();
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "exception");
  CHECK(stop.at("description") == "race in global memory");
  CHECK(client.line(2) == line_of(kSource, "of each block"));
  CHECK(client.value("blockIdx.x") == "1");
  CHECK(client.value("threadIdx.x") == "40");
  (void)client.request("evaluate", {{"expression", "other side"}, {"context", "repl"}});
  CHECK(client.wait_for("stopped").at("description") == "the other access of the race");
  CHECK(client.value("blockIdx.x") == "0");
  CHECK(client.value("threadIdx.x") == "40");
  client.break_at(kSource, {});
  // It stops there once; the report at the end has the race.
  (void)client.request("continue", {{"threadId", 2}});
  CHECK(client.wait_for("exited").at("exitCode") != 0);
}

TEST_CASE("a picture has what the block has done up to the stop, where the program stands again",
          "[debug][panels]") {
  const File file("picture.rec");
  DapClient client;
  const int thread = stop_at(client, "barrier");
  CHECK(
      client.ask("evaluate", {{"expression", "picture " + file.path.string()}, {"context", "repl"}})
          .at("success") == true);
  CHECK(client.wait_for("stopped").at("reason") == "breakpoint");
  CHECK(client.line(thread) == line_of(kSource, "barrier"));
  const Recording recorded = file.recording();
  REQUIRE(recorded.blocks.size() == 1);
  const Block& block = recorded.blocks.front();
  CHECK(block.id == std::array<std::uint32_t, 3>{0, 0, 0});
  CHECK(block.findings.empty());
  std::set<std::uint32_t> lines;
  std::size_t stores = 0;
  recording::for_each_step(block, [&](const recording::Step& step) {
    lines.insert(block.instructions[step.instruction].line);
    stores += step.kind == recording::Step::Kind::access && step.shared ? 1 : 0;
  });
  CHECK(stores == 1);  // of the first warp, and it has not come to the barrier
  CHECK(lines.contains(static_cast<std::uint32_t>(line_of(kSource, "load"))));
  CHECK_FALSE(lines.contains(static_cast<std::uint32_t>(line_of(kSource, "barrier"))));
  // It goes on as if it had not run again.
  client.break_at(kSource, {});
  (void)client.request("continue", {{"threadId", thread}});
  CHECK(client.wait_for("exited").at("exitCode") == 0);
}

TEST_CASE("a picture at a mistake has it, with the access that the program is about to make",
          "[debug][panels]") {
  const auto [what, kind, stop] =
      GENERATE(std::tuple("race", "race-shared", "race in shared memory"),
               std::tuple("bounds", "oob-global-write", "write outside an array in global memory"));
  CAPTURE(what);
  DapClient client({"--check", "bounds,races"});
  client.launch(DEBUG_PROGRAMS, {what});
  client.configured();
  CHECK(client.wait_for("stopped").at("description") == stop);
  (void)client.request("warpsim/picture");
  const Json body = client.wait_for("warpsim/picture");
  CHECK(body.at("atEnd") == false);
  CHECK(body.at("recording").get<std::string>().starts_with("d2FycHJlYw"));  // "warprec"
  CHECK(client.wait_for("stopped").at("description") == stop);
  const File file("mistake.rec");
  (void)client.request("warpsim/picture", {{"file", file.path.string()}});
  CHECK(client.wait_for("stopped").at("description") == stop);
  const Recording recorded = file.recording();
  REQUIRE(recorded.blocks.size() == 1);
  const Block& block = recorded.blocks.front();
  REQUIRE(block.findings.size() == 1);
  CHECK(block.findings.front().kind == kind);
  CHECK(block.findings.front().race.has_value() == (what == std::string("race")));
  CHECK(block.findings.front().step == block.step_count - 1);
}

TEST_CASE("a picture is a page where the name says so; what cannot be written is said",
          "[debug][panels]") {
  const File file("picture.html");
  DapClient client;
  (void)stop_at(client, "after the barrier");
  (void)client.request("warpsim/picture", {{"file", file.path.string()}});
  (void)client.wait_for("stopped");
  CHECK_THAT(client.output(), ContainsSubstring("is in " + file.path.string()));
  CHECK_THAT(file.text(), StartsWith("<!doctype html>"));
  CHECK_THAT(file.text(), ContainsSubstring("{ end: true }"));
  (void)client.request("warpsim/picture", {{"file", "/nowhere/picture.html"}});
  (void)client.wait_for("stopped");
  CHECK_THAT(client.output(),
             ContainsSubstring("cannot write '/nowhere/picture.html': No such file or directory"));
}

TEST_CASE("a finding shows the lane that made the mistake", "[debug][panels]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"bounds"});
  client.configured();
  CHECK(client.wait_for("stopped").at("threadId") == 2);
  CHECK(client.value("threadIdx.x") == "60");
}

}  // namespace warpsim::debug
