#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "emulator/debug/tests/dap_client.h"

// The requests that are our own, for panels of editors, and the focus.

namespace warpsim::debug {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

const std::string kSource = DEBUG_SOURCE;

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

TEST_CASE("a finding shows the lane that made the mistake", "[debug][panels]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"bounds"});
  client.configured();
  CHECK(client.wait_for("stopped").at("threadId") == 2);
  CHECK(client.value("threadIdx.x") == "60");
}

}  // namespace warpsim::debug
