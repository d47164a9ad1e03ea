#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "emulator/debug/tests/dap_client.h"

// Sessions as an editor has them, with the programs of programs.cu.

namespace warpsim::debug {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

const std::string kSource = DEBUG_SOURCE;

int line(const std::string& remark) {
  return line_of(kSource, remark);
}

/// Runs `smooth` up to its line with this remark.
int run_to(DapClient& client, const std::string& remark,
           const std::string& program = DEBUG_PROGRAMS) {
  client.launch(program, {"smooth"});
  (void)client.break_at(kSource, {line(remark)});
  client.configured();
  return client.wait_for("stopped").at("threadId");
}

int step(DapClient& client, const std::string& how, int thread, Json more = Json::object()) {
  more["threadId"] = thread;
  (void)client.request(how, more);
  return client.wait_for("stopped").at("threadId");
}

Json find(const std::vector<Json>& variables, const std::string& name) {
  const auto found =
      std::ranges::find_if(variables, [&](const Json& v) { return v.at("name") == name; });
  REQUIRE(found != variables.end());
  return *found;
}

}  // namespace

TEST_CASE("a program without a kernel runs to its end, with its output and exit code",
          "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"nothing"});
  client.configured();
  CHECK(client.wait_for("exited").at("exitCode") == 3);
  (void)client.wait_for("terminated");
  CHECK_THAT(client.output(), ContainsSubstring("no kernel\n"));
  CHECK(client.ask("stackTrace", {{"threadId", 1}}).at("message") == "the program has ended");
}

TEST_CASE("a breakpoint on a line is verified when its kernel runs, and stops there",
          "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"smooth"});
  const Json list = client.break_at(kSource, {line("load")});
  CHECK(list.at(0).at("verified") == false);
  client.configured();
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "breakpoint");
  CHECK(stop.at("hitBreakpointIds").at(0) == list.at(0).at("id"));
  CHECK(client.wait_for("breakpoint").at("breakpoint").at("verified") == true);
  CHECK(client.line(1) == line("load"));
  CHECK(client.top(1).at("source").at("path") == kSource);
}

TEST_CASE("a source that was compiled by a relative name has the path that the editor knows",
          "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "load", DEBUG_PROGRAMS_RELATIVE);
  CHECK(client.line(thread) == line("load"));
  CHECK(client.top(thread).at("source").at("path") == kSource);
}

TEST_CASE("a breakpoint on a line without code moves to the next one that has",
          "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"smooth"});
  (void)client.break_at(kSource, {line("odd") + 1, 1000000});
  client.configured();
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "breakpoint");
  CHECK(client.line(stop.at("threadId")) == line("store"));
  CHECK(client.wait_for("breakpoint").at("breakpoint").at("line") == line("store"));
}

TEST_CASE("a breakpoint on a kernel's name stops at its beginning", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"twice"});
  (void)client.request("setFunctionBreakpoints", {{"breakpoints", {{{"name", "neighbours"}}}}});
  client.configured();
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "function breakpoint");
  CHECK(client.top(stop.at("threadId")).at("name") == "neighbours");
}

TEST_CASE("stopOnEntry stops at the first instruction of the first kernel", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"smooth"}, {{"stopOnEntry", true}});
  client.configured();
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "entry");
  CHECK_THAT(stop.at("description"), StartsWith("block (0,0,0) of smooth("));
}

TEST_CASE("threads are the warps of the block, with where they are", "[debug][session]") {
  DapClient client;
  (void)run_to(client, "after the barrier");
  const Json threads = client.request("threads").at("threads");
  REQUIRE(threads.size() == 2);
  CHECK_THAT(threads.at(0).at("name"), StartsWith("block (0,0,0) warp 0: "));
  client.break_at(kSource, {});
  (void)client.request("continue", {{"threadId", 1}});
  (void)client.wait_for("exited");
}

TEST_CASE("a warp that waits at a barrier says so", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"smooth"});
  (void)client.request(
      "setBreakpoints",
      {{"source", {{"path", kSource}}},
       {"breakpoints", {{{"line", line("load")}, {"condition", "threadIdx.x >= 32"}}}}});
  client.configured();
  CHECK(client.wait_for("stopped").at("threadId") == 2);
  const Json threads = client.request("threads").at("threads");
  CHECK(threads.at(0).at("name") == "block (0,0,0) warp 0: waits at the barrier programs.cu:" +
                                        std::to_string(line("barrier")));
}

TEST_CASE("with -G the variables of a lane have their names, types and values",
          "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "load");
  const int frame = client.top(thread).at("id");
  CHECK(find(client.scope(frame, "Locals"), "i").at("value") == "0");
  CHECK(find(client.scope(frame, "Locals"), "sum").at("value") == "<optimized out>");
  const auto parameters = client.scope(frame, "Parameters");
  CHECK(find(parameters, "n").at("value") == "128");
  CHECK(find(parameters, "settings").at("value") == "{scale = 0.5, steps = 4}");
  CHECK_THAT(find(parameters, "in").at("value"), ContainsSubstring("(cudaMalloc #1)"));
  const Json built_in = find(client.scope(frame, "Built-in variables"), "blockDim");
  CHECK(built_in.at("value") == "{x = 64, y = 1, z = 1}");
}

TEST_CASE("shared arrays show their elements, and which are uninitialized", "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "barrier");
  const int frame = client.top(thread).at("id");
  const Json tile = find(client.scope(frame, "Shared arrays"), "tile");
  CHECK(tile.at("type") == "float[64]");
  const Json body = client.request(
      "variables",
      {{"variablesReference", tile["variablesReference"]}, {"start", 31}, {"count", 2}});
  CHECK(body.at("variables").at(0).at("value") == "31");
  CHECK(body.at("variables").at(0).at("evaluateName") == "tile[31]");
  CHECK(body.at("variables").at(1).at("value") == "uninitialized");
}

TEST_CASE("optimised code without names shows parameters, shared arrays, built-ins and registers",
          "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "barrier", DEBUG_PROGRAMS_OPTIMIZED);
  const int frame = client.top(thread).at("id");
  const auto parameters = client.scope(frame, "Parameters");
  CHECK(find(parameters, "arg2").at("value") == "128");
  CHECK(find(parameters, "arg0").at("type") == "float*");
  CHECK(client.value("arg0[5]", frame) == "5");
  CHECK(client.value("tile[3]", frame) == "3");
  CHECK(client.value("tile[40]", frame) == "uninitialized");
  CHECK(client.value("threadIdx.x", frame) == "0");
  CHECK(client.value("i", frame) == "error: no variable i is known here");
  CHECK(!client.scope(frame, "PTX registers").empty());
}

TEST_CASE("without lines the PTX is the source", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS_WITHOUT_LINES, {"smooth"}, {{"stopOnEntry", true}});
  client.configured();
  (void)client.wait_for("stopped");
  const Json frame = client.top(1);
  CHECK(frame.at("source").at("name") == "PTX (compile with -lineinfo or -G for source lines)");
  const Json source =
      client.request("source", {{"sourceReference", frame.at("source").at("sourceReference")}});
  CHECK_THAT(source.at("content"), ContainsSubstring(".visible .entry _Z6smooth"));
  const int before = frame.at("line");
  (void)step(client, "next", 1, {{"granularity", "instruction"}});
  CHECK(client.line(1) > before);
}

TEST_CASE("one variable is shown across the lanes of a warp", "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "even");
  const int frame = client.top(thread).at("id");
  const Json i = find(client.scope(frame, "Across lanes"), "i");
  CHECK(i.at("value") == "16 values");
  const Json body = client.request("variables", {{"variablesReference", i["variablesReference"]}});
  CHECK(body.at("variables").size() == 32);
  const int first = (thread - 1) * 32;
  CHECK(body.at("variables").at(2).at("value") == std::to_string(first + 2));
  CHECK(body.at("variables").at(3).at("value") == std::to_string(first + 3) + " (inactive)");
  CHECK(find(client.scope(frame, "Across lanes"), "n").at("value") == "128 in all lanes");
}

TEST_CASE("expressions are C's, over variables, elements and members", "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "after the barrier");
  const int frame = client.top(thread).at("id");
  const auto value = [&](const std::string& text) { return client.value(text, frame); };
  CHECK(value("threadIdx.x + 2 * n") == (thread == 1 ? "256" : "288"));
  CHECK(value("in[5] * 2 + tile[1]") == "11");
  CHECK(value("*(in + 7)") == "7");
  CHECK(value("settings.steps << 2") == "16");
  CHECK(value("n > 100 && i >= 0 ? 1 : 2") == "1");
  CHECK(value("(int)in[3] % 2") == "1");
  CHECK(value("blockDim.x == 64") == "true");
  CHECK(value("i @lane 9") == (thread == 1 ? "9" : "41"));
  CHECK_THAT(value("&tile[2]"), ContainsSubstring("(tile + 8)"));
  CHECK_THAT(value("in[128]"), ContainsSubstring("no memory"));
  CHECK(value("tile[64]") == "<index 64 is outside of 0 to 63>");
  CHECK(value("n +") == "error: the expression ends too early");
  CHECK(value("unknown") == "error: no variable unknown is known here");
  CHECK(value("1 / (n - 128)") == "error: a division by zero");
  CHECK_THAT(value(std::string(2000, '(')), StartsWith("error: an expression has at most"));
}

TEST_CASE("stepping over a line runs the others up to a barrier", "[debug][session]") {
  DapClient client;
  int thread = run_to(client, "load");
  (void)client.break_at(kSource, {});
  REQUIRE(thread == 1);
  thread = step(client, "next", thread);
  CHECK(client.line(thread) == line("barrier"));
  CHECK(client.value("tile[40]") == "uninitialized");
  thread = step(client, "next", thread);
  CHECK(thread == 1);
  CHECK(client.line(thread) > line("barrier"));
  CHECK(client.value("tile[40]") == "40");
}

TEST_CASE("another warp of the block can be stepped", "[debug][session]") {
  DapClient client;
  (void)run_to(client, "load");
  (void)client.break_at(kSource, {});
  CHECK(step(client, "next", 2) == 2);
  const int reached = client.line(2);
  CHECK(step(client, "next", 2) == 2);
  CHECK(client.line(2) > reached);
  CHECK(client.line(1) == line("load"));
}

TEST_CASE("stepping goes into a function, shows its callers, and out of it", "[debug][session]") {
  DapClient client;
  int thread = run_to(client, "even");
  (void)client.break_at(kSource, {});
  thread = step(client, "stepIn", thread);
  Json frames = client.frames(thread);
  CHECK_THAT(frames.at(0).at("name"), StartsWith("twice [lanes 0,2,4"));
  CHECK(frames.at(0).at("line") == line("in twice"));
  CHECK(frames.at(1).at("name") == "smooth");
  CHECK(frames.at(1).at("line") == line("even"));
  const int frame = frames.at(0).at("id");
  CHECK(find(client.scope(frame, "Parameters"), "value").at("value") ==
        client.value("sum", frames.at(1).at("id")));
  thread = step(client, "stepOut", thread);
  CHECK(client.line(thread) == line("even"));
}

TEST_CASE("stepping over a call does not stop in it", "[debug][session]") {
  DapClient client;
  int thread = run_to(client, "even");
  (void)client.break_at(kSource, {});
  thread = step(client, "next", thread);
  CHECK(client.line(thread) == line("odd"));  // the other lanes
  CHECK_THAT(client.top(thread).at("name"), StartsWith("smooth [lanes 1,3,5"));
}

TEST_CASE("a step back leads to the line before, with the memory of that time",
          "[debug][session]") {
  DapClient client;
  int thread = run_to(client, "store");
  (void)client.break_at(kSource, {});
  thread = step(client, "next", thread);
  const std::string index = std::to_string((thread - 1) * 32);
  CHECK(client.value("out[" + index + "]") != "0");
  thread = step(client, "stepBack", thread);
  CHECK(client.line(thread) == line("store"));
  CHECK(client.value("out[" + index + "]") == "0");
  // And forth again, with the same result.
  thread = step(client, "next", thread);
  CHECK(client.value("out[" + index + "]") != "0");
}

TEST_CASE("a step back by one instruction undoes one", "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "load");
  const std::string here = client.top(thread).at("instructionPointerReference");
  (void)step(client, "next", thread, {{"granularity", "instruction"}});
  CHECK(client.top(thread).at("instructionPointerReference") != here);
  (void)step(client, "stepBack", thread, {{"granularity", "instruction"}});
  CHECK(client.top(thread).at("instructionPointerReference") == here);
}

TEST_CASE("reverseContinue leads to the last breakpoint before, or the kernel's beginning",
          "[debug][session]") {
  DapClient client;
  int thread = run_to(client, "store");
  (void)client.break_at(kSource, {line("load")});
  thread = step(client, "reverseContinue", thread);
  CHECK(client.line(thread) == line("load"));
  CHECK(thread == 2);  // the warp that came there last
  thread = step(client, "reverseContinue", thread);
  CHECK(client.line(thread) == line("load"));
  CHECK(thread == 1);
  (void)client.request("reverseContinue", {{"threadId", thread}});
  CHECK(client.wait_for("stopped").at("description") == "the beginning of the kernel");
}

TEST_CASE("the last write of an element is found", "[debug][session]") {
  DapClient client;
  (void)run_to(client, "after the barrier");
  (void)client.request("evaluate", {{"expression", "last write tile[37]"}, {"context", "repl"}});
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("description") == "the last write of tile[37]");
  CHECK(stop.at("threadId") == 2);
  CHECK(client.line(2) == line("load"));
  CHECK(client.value("tile[37]") == "uninitialized");
}

TEST_CASE("a condition stops only where it holds, in the lane where it does", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"smooth"});
  (void)client.request("setBreakpoints",
                       {{"source", {{"path", kSource}}},
                        {"breakpoints",
                         {{{"line", line("loop")},
                           {"condition", "blockIdx.x == 1 && threadIdx.x == 40 && k == 2"}}}}});
  client.configured();
  CHECK(client.wait_for("stopped").at("threadId") == 2);
  CHECK(client.value("threadIdx.x") == "40");
  CHECK(client.value("blockIdx.x") == "1");
  CHECK(client.value("k") == "2");
}

TEST_CASE("a condition that cannot be computed stops and says why", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"smooth"});
  (void)client.request("setBreakpoints",
                       {{"source", {{"path", kSource}}},
                        {"breakpoints", {{{"line", line("loop")}, {"condition", "kk == 2"}}}}});
  client.configured();
  CHECK(client.wait_for("stopped").at("description") ==
        "the condition 'kk == 2': no variable kk is known here");
}

TEST_CASE("hit counts and log points", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"smooth"});
  (void)client.request("setBreakpoints", {{"source", {{"path", kSource}}},
                                          {"breakpoints",
                                           {{{"line", line("loop")}, {"hitCondition", "16"}},
                                            {{"line", line("store")},
                                             {"condition", "threadIdx.x < 2"},
                                             {"logMessage", "i is {i}, sum is {sum}"}}}}});
  client.configured();
  // 2 blocks x 2 warps x 4 rounds: the last one.
  (void)client.wait_for("stopped");
  CHECK(client.value("k") == "3");
  CHECK(client.value("blockIdx.x") == "1");
  (void)client.request("continue", {{"threadId", 1}});
  (void)client.wait_for("exited");
  CHECK_THAT(client.output(), ContainsSubstring("i is 1, sum is -10\n"));
  CHECK_THAT(client.output(), ContainsSubstring("i is 64, sum is 524\n"));
}

TEST_CASE("a data breakpoint stops before an element is written, and says by whom",
          "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "load");
  const Json info = client.request("dataBreakpointInfo", {{"name", "out[3]"}});
  (void)client.break_at(kSource, {});
  (void)client.request(
      "setDataBreakpoints",
      {{"breakpoints", {{{"dataId", info.at("dataId")}, {"accessType", "write"}}}}});
  (void)client.request("continue", {{"threadId", thread}});
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("reason") == "data breakpoint");
  CHECK(stop.at("description") ==
        "block (0,0,0) thread (3,0,0), warp 0 lane 3 is about to write out[3]");
  CHECK(client.line(1) == line("store"));
  CHECK(client.value("out[3]") == "0");
  // A variable in a register has no address.
  const Json none = client.request("dataBreakpointInfo", {{"name", "i"}});
  CHECK(none.at("dataId").is_null());
}

TEST_CASE("findings stop the program where they happen", "[debug][session]") {
  struct Row {
    const char* program;
    const char* title;
    const char* remark;
  };
  const Row row = GENERATE(values<Row>({
      {"bounds", "write outside an array in global memory", "out of bounds"},
      {"uninitialized", "read of uninitialized shared memory", "uses uninitialized"},
      {"divergent", "barrier not reached by all threads of the block", "not reached by all"},
  }));
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {row.program});
  client.configured();
  const Json stop = client.wait_for("stopped");
  INFO(row.program);
  CHECK(stop.at("reason") == "exception");
  CHECK(stop.at("description") == row.title);
  const int thread = stop.at("threadId");
  CHECK(client.line(thread) == line(row.remark));
  const Json info = client.request("exceptionInfo", {{"threadId", thread}});
  CHECK_THAT(info.at("details").at("message"), ContainsSubstring(": error: "));
}

TEST_CASE("a race stops at the second access", "[debug][session]") {
  DapClient client({"--check", "races"});
  client.launch(DEBUG_PROGRAMS, {"race"});
  client.configured();
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("description") == "race in shared memory");
  CHECK(stop.at("threadId") == 2);
  CHECK(client.line(2) == line("written"));
  // Nothing is lost: the first access was before.
  (void)step(client, "stepBack", 2);
}

TEST_CASE("a failed assertion stops with its caller on the stack", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"assert"});
  client.configured();
  const Json stop = client.wait_for("stopped");
  CHECK(stop.at("description") == "failed assertion in a kernel");
  const Json frames = client.frames(stop.at("threadId"));
  const bool shows = std::ranges::any_of(frames, [](const Json& frame) {
    return frame.at("name") == "asserts" && frame.at("line") == line("fails");
  });
  CHECK(shows);
}

TEST_CASE("without the filter findings are only printed", "[debug][session]") {
  DapClient client;
  client.launch(DEBUG_PROGRAMS, {"bounds"});
  (void)client.request("setExceptionBreakpoints", {{"filters", Json::array()}});
  client.configured();
  CHECK(client.wait_for("exited").at("exitCode") != 0);
  CHECK_THAT(client.output(), ContainsSubstring("[oob-global-write, P1]"));
}

TEST_CASE("a kernel that never ends can be paused and left", "[debug][session]") {
  DapClient client({"--check", "none"});
  client.launch(DEBUG_PROGRAMS, {"endless"});
  client.configured();
  CHECK(!client.comes("stopped", 0.5));
  CHECK(client.ask("stackTrace", {{"threadId", 1}}).at("message") ==
        "the kernel runs; pause it first");
  (void)client.request("pause", {{"threadId", 1}});
  CHECK(client.wait_for("stopped").at("reason") == "pause");
  CHECK(client.top(1).at("name") == "endless");
  (void)client.request("disconnect");
  CHECK(client.leave() == 0);
}

TEST_CASE("the focus moves to another block", "[debug][session]") {
  DapClient client({"--check", "none"});
  client.launch(DEBUG_PROGRAMS, {"many"}, {{"stopOnEntry", true}});
  client.configured();
  (void)client.wait_for("stopped");
  CHECK(client.ask("warpsim/focusBlock", {{"block", {1000000, 0, 0}}}).at("message") ==
        "the grid has 1000000 x 1 x 1 blocks");
  (void)client.request("warpsim/focusBlock", {{"block", {2000, 0, 0}}});
  CHECK_THAT(client.wait_for("stopped").at("description"), StartsWith("block (2000,0,0) of many("));
  CHECK(client.value("blockIdx.x") == "2000");
  CHECK(client.ask("warpsim/focusBlock", {{"block", {5, 0, 0}}}).at("success") == false);
}

TEST_CASE("a kernel that ends during a step lets the program go on", "[debug][session]") {
  DapClient client;
  const int thread = run_to(client, "store");
  (void)client.break_at(kSource, {});
  // The warp ends, and another one is next; then the kernel.
  for (int i = 0; i < 40 && !client.comes("exited", 0); ++i) {
    const Json answer = client.ask("next", {{"threadId", thread}});
    if (!answer.at("success")) break;
    while (!client.comes("stopped", 0.05) && !client.comes("exited", 0.05)) {
    }
    if (client.comes("exited", 0)) break;
    (void)client.wait_for("stopped");
  }
  CHECK(client.wait_for("exited").at("exitCode") == 0);
}

TEST_CASE("requests that make no sense get one message each", "[debug][session]") {
  DapClient client;
  CHECK(client.ask("threads").at("success") == true);
  CHECK(client.ask("next", {{"threadId", 1}}).at("message") == "the program has not been started");
  CHECK(client.ask("launch").at("message") ==
        "which program? Set \"program\" in the launch configuration");
  CHECK(client.ask("launch", {{"program", "/does/not/exist"}}).at("message") ==
        "'/does/not/exist' does not exist");
  CHECK_THAT(client.ask("launch", {{"program", 5}}).at("message"),
             StartsWith("'program' and 'cwd'"));
  (void)run_to(client, "load");
  CHECK(client.ask("dance").at("message") == "'dance' is not supported");
  CHECK(client.ask("stackTrace").at("message") ==
        "the arguments of 'stackTrace' are not those of the protocol");
  CHECK(client.ask("stackTrace", {{"threadId", 99}}).at("message") ==
        "there is no warp 98; the block has 2");
  CHECK(client.ask("variables", {{"variablesReference", 1000}}).at("message") ==
        "these variables belong to an earlier stop");
  CHECK(client.ask("launch", {{"program", DEBUG_PROGRAMS}}).at("message") ==
        "the program has been started already");
}

TEST_CASE("a client that sends no messages of the protocol is told, and the server ends",
          "[debug][session]") {
  DapClient client;
  client.send_raw("Hello\r\n\r\n");
  (void)client.wait_for("terminated");
  CHECK(client.output() == "warpsim: the client sent a message without Content-Length\n");
  CHECK(client.leave() == 2);
}

TEST_CASE("a client that leaves in the middle takes the program with it", "[debug][session]") {
  DapClient client;
  (void)run_to(client, "load");
  CHECK(client.leave() == 0);
}

}  // namespace warpsim::debug
