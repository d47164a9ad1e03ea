#include "emulator/report/settings.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

using namespace warpsim;

namespace {

struct Outcome {
  Settings settings;
  std::string error;
};

Outcome read(std::map<std::string, std::string> environment) {
  Outcome outcome;
  outcome.settings = read_settings(
      [&](const char* name) -> const char* {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      outcome.error);
  return outcome;
}

}  // namespace

TEST_CASE("an empty environment means the default card with every check", "[settings][unit]") {
  const auto [settings, error] = read({});
  CHECK(error == "");
  CHECK(settings.card->id == "a100");
  CHECK(settings.machine.checks.bounds);
  CHECK(settings.machine.checks.unwritten);
  CHECK(settings.json_path == "");
  CHECK_FALSE(settings.error_exitcode);
  CHECK_FALSE(settings.quiet);
}

TEST_CASE("every variable reaches its setting", "[settings][unit]") {
  const auto [settings, error] = read({{"WARPSIM_CARD", "h200"},
                                       {"WARPSIM_SEED", "7"},
                                       {"WARPSIM_THREADS", "2"},
                                       {"WARPSIM_BUDGET", "123456789012"},
                                       {"WARPSIM_ERROR_EXITCODE", "99"},
                                       {"WARPSIM_JSON", "out.json"},
                                       {"WARPSIM_FORMAT", "sarif"},
                                       {"WARPSIM_OUTPUT", "out.sarif"},
                                       {"WARPSIM_SOURCES", "/tmp/src"},
                                       {"WARPSIM_QUIET", "1"},
                                       {"WARPSIM_COUNTERS", "0"},
                                       {"WARPSIM_LINES", "1"},
                                       {"WARPSIM_PTXAS", "1"},
                                       {"WARPSIM_INSTRUCTIONS", "1"}});
  CHECK(error == "");
  CHECK(settings.card->id == "h200");
  CHECK(settings.machine.seed == 7);
  CHECK(settings.machine.source_folder == "/tmp/src/");
  CHECK(settings.machine.host_threads == 2);
  CHECK(settings.machine.instruction_budget == 123456789012);
  CHECK(settings.error_exitcode == 99);
  CHECK(settings.json_path == "out.json");
  CHECK(settings.format == DiagnosticFormat::sarif);
  CHECK(settings.output_path == "out.sarif");
  CHECK(settings.quiet);
  CHECK_FALSE(settings.counters);
  CHECK(settings.lines);
  CHECK(settings.machine.ask_ptxas);
  CHECK(settings.machine.by_instruction);
}

TEST_CASE("native code is on, off, or begins after a number of executions", "[settings][unit]") {
  CHECK(read({}).settings.native_threshold == 16);
  CHECK(read({{"WARPSIM_JIT", "off"}}).settings.native_threshold == 0);
  CHECK(read({{"WARPSIM_JIT", "on"}}).settings.native_threshold == 16);
  CHECK(read({{"WARPSIM_JIT", "3"}}).settings.native_threshold == 3);
  CHECK(read({{"WARPSIM_JIT", "yes"}}).error.starts_with("WARPSIM_JIT='yes' is not a number"));
}

TEST_CASE("the cache model brings the counters along", "[settings][unit]") {
  std::string error;
  const auto both = parse_checks("cache", error);
  REQUIRE(both);
  CHECK(both->counters);
  CHECK(both->cache);
  CHECK_FALSE(parse_checks("counters", error)->cache);
  CHECK_FALSE(parse_checks("bounds", error)->counters);
}

TEST_CASE("a list of checks switches on those and no other", "[settings][unit]") {
  std::string error;
  const auto checks = parse_checks("bounds,leaks", error);
  REQUIRE(checks);
  CHECK(checks->bounds);
  CHECK(checks->leaks);
  CHECK_FALSE(checks->unwritten);
  CHECK_FALSE(checks->counters);
  CHECK_FALSE(parse_checks("none", error)->bounds);
  CHECK(parse_checks("all", error)->unwritten);
}

TEST_CASE("reads of uninitialized memory are checked under the former name, too",
          "[settings][unit]") {
  std::string error;
  for (const char* name : {"uninitialized", "unwritten"}) {
    const auto checks = parse_checks(name, error);
    REQUIRE(checks);
    CHECK(checks->unwritten);
    CHECK_FALSE(checks->races);
  }
  CHECK_FALSE(parse_checks("written", error));
  CHECK(error.starts_with("unknown check 'written'; known: all, none, bounds, uninitialized, "));
}

TEST_CASE("a check that runs on request is not in all, and may be added to it",
          "[settings][unit]") {
  std::string error;
  CHECK(parse_checks("all", error)->requested == 0);
  const auto alone = parse_checks("unused-stores", error);
  REQUIRE(alone);
  CHECK(alone->requested != 0);
  CHECK_FALSE(alone->races);
  for (const char* both : {"all,unused-stores", "unused-stores,all"}) {
    INFO(both);
    const auto checks = parse_checks(both, error);
    REQUIRE(checks);
    CHECK(checks->requested == alone->requested);
    CHECK(checks->races);
  }
  CHECK(error.empty());
}

TEST_CASE("an unknown check, card or number is one line that says what is known",
          "[settings][unit]") {
  CHECK(
      read({{"WARPSIM_CHECK", "bounds,bound"}}).error ==
      "unknown check 'bound'; known: all, none, bounds, uninitialized, races, read-only, barriers, "
      "leaks, counters, cache, unused-stores");
  CHECK(read({{"WARPSIM_DEVICES", "2"}}).settings.devices == 2);
  CHECK(read({{"WARPSIM_DEVICES", "17"}}).error ==
        "WARPSIM_DEVICES='17' is not a number of devices from 1 to 16");
  CHECK(read({{"WARPSIM_CARD", "h20"}}).error ==
        "unknown card 'h20'; known: t4, rtx3060, a40, a100, l4, rtx4090, h100, h200");
  CHECK(read({{"WARPSIM_FORMAT", "xml"}}).error ==
        "unknown format 'xml'; known: text, json, sarif, github");
  CHECK(read({{"WARPSIM_ERROR_EXITCODE", "256"}}).error ==
        "WARPSIM_ERROR_EXITCODE='256' is not a number between 0 and 255");
  CHECK(read({{"WARPSIM_SEED", "7x"}}).error ==
        "WARPSIM_SEED='7x' is not a number between 0 and 18446744073709551615");
  CHECK(read({{"WARPSIM_THREADS", ""}}).error ==
        "WARPSIM_THREADS='' is not a number between 0 and 4294967295");
}
