#include "grader/judge/speed/rung.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::make_wrong;
using testing::right_evidence;
using testing::test_lab;

/// Three rungs: any kernel, one that loads each element at most twice, and one that launches twice.
Lab lab_with_rungs() {
  Lab lab = test_lab();
  const auto rung = [](const char* stage, const char* when) {
    return Rung{.stage = stage,
                .title = std::string("title of ") + stage,
                .when = Expression(when),
                .next = std::string("after ") + stage};
  };
  lab.rungs = {rung("01_any", "global_load_sectors > 0"),
               rung("02_few", "global_load_sectors <= n / 4"),
               rung("03_two", "launches / (launches - 1) <= 2")};
  return lab;
}

TEST_CASE("a submission reaches the highest rung whose condition holds", "[speed][rung]") {
  const Lab lab = lab_with_rungs();
  Evidence evidence = right_evidence(lab);
  // With one launch the last condition divides by zero, and does not hold.
  auto rung = find_rung(evidence);
  REQUIRE(rung);
  CHECK(rung->index == 2);
  CHECK(rung->count == 3);
  CHECK(rung->stage == "02_few");
  CHECK(rung->title == "title of 02_few");
  CHECK(rung->next_title == "title of 03_two");
  CHECK(rung->next == "after 02_few");
  evidence.cases[1].emulator->kernels[0].launches = 2;
  rung = find_rung(evidence);
  REQUIRE(rung);
  CHECK(rung->index == 3);
  CHECK(rung->next_title.empty());
}

TEST_CASE("a wrong program has no rung, a partly assessed one has", "[speed][rung]") {
  const Lab lab = lab_with_rungs();
  Evidence other_case_wrong = right_evidence(lab);
  make_wrong(other_case_wrong, 0, "tail", 90, 0, 1);
  CHECK_FALSE(find_rung(other_case_wrong));
  Evidence wrong_where_hidden = right_evidence(lab);
  wrong_where_hidden.hidden = HiddenPart{.fails = true};
  CHECK_FALSE(find_rung(wrong_where_hidden));
  wrong_where_hidden.hidden->fails = false;
  CHECK(find_rung(wrong_where_hidden));
  Evidence other_not_assessed = right_evidence(lab);
  other_not_assessed.cases[0].report.verdict = CaseVerdict::not_assessed;
  CHECK(find_rung(other_not_assessed));
}

TEST_CASE("the rung follows from the submission's own kernels, not a library's", "[speed][rung]") {
  const Lab lab = lab_with_rungs();
  Evidence evidence = right_evidence(lab);
  std::vector<KernelReport>& kernels = evidence.cases[1].emulator->kernels;
  kernels[0].file = "vecadd.cu";
  KernelReport of_library = kernels[0];
  of_library.file = "/usr/include/cub/device.cuh";
  of_library.counters["modelled_ms"] = 0.5;
  kernels.push_back(of_library);
  // With the library's launch there would be two.
  auto rung = find_rung(evidence);
  REQUIRE(rung);
  CHECK(rung->index == 2);
  kernels[1].counters["modelled_ms"] = 3;  // the library does the work
  CHECK_FALSE(find_rung(evidence));
  kernels[1].file = "helpers.cuh";  // the submission's own
  rung = find_rung(evidence);
  REQUIRE(rung);
  CHECK(rung->index == 3);
}

/// The lab's stages with these times in ms, counted on the card of the evidence.
std::vector<RungCost> stages(const Evidence& evidence, std::initializer_list<double> times) {
  std::vector<RungCost> ladder;
  for (const double ms : times) {
    ladder.push_back({.rung = ladder.size() + 1,
                      .stage = {},
                      .title = "stage " + std::to_string(ladder.size() + 1),
                      .card = evidence.cases[1].emulator->device,
                      .cost = {.modelled_ms = ms, .counters = {}}});
  }
  return ladder;
}

TEST_CASE("a next rung that is slower than the program is not named, the next faster one is",
          "[speed][rung]") {
  Lab lab = lab_with_rungs();
  lab.rungs[0].when = Expression("global_load_sectors >= 0");
  lab.rungs[1].when = lab.rungs[2].when = Expression("global_load_sectors < 0");
  Evidence evidence = right_evidence(lab);
  const double ms = evidence.cases[1].emulator->total(kTimeMetric);
  evidence.ladder = stages(evidence, {ms, 2 * ms, ms / 2});
  auto rung = find_rung(evidence);
  REQUIRE(rung);
  REQUIRE(rung->index == 1);
  CHECK(rung->next_title.empty());
  CHECK(rung->next.empty());
  CHECK(rung->next_times_faster == 0);
  CHECK(rung->faster_index == 3);
  CHECK(rung->faster_title == "title of 03_two");
  // Also if the next rung is faster than this rung's stage, but not than this program.
  evidence.ladder = stages(evidence, {4 * ms, 2 * ms, ms / 2});
  rung = find_rung(evidence);
  CHECK(rung->next_title.empty());
  CHECK(rung->faster_index == 3);
  // A later one must beat this program, too.
  evidence.ladder = stages(evidence, {4 * ms, 8 * ms, 2 * ms});
  rung = find_rung(evidence);
  CHECK(rung->next_title.empty());
  CHECK(rung->faster_index == 0);

  // Near misses: a faster next rung needs no other, and times of another card say nothing.
  evidence.ladder = stages(evidence, {ms, ms / 2, ms / 4});
  rung = find_rung(evidence);
  CHECK(rung->next_title == "title of 02_few");
  CHECK(rung->next_times_faster == 0);  // the lab predicts nothing
  CHECK(rung->faster_index == 0);
  evidence.ladder = stages(evidence, {ms, 2 * ms, ms / 2});
  evidence.ladder[1].card = "another card";
  rung = find_rung(evidence);
  CHECK(rung->next_title == "title of 02_few");
  CHECK(rung->next_times_faster == 0);
}

TEST_CASE("a next rung that takes the same time, or costs a slow program time, is named as such",
          "[speed][rung]") {
  Lab lab = lab_with_rungs();
  lab.rungs[0].when = Expression("global_load_sectors >= 0");
  lab.rungs[1].when = lab.rungs[2].when = Expression("global_load_sectors < 0");
  Evidence evidence = right_evidence(lab);
  const double ms = evidence.cases[1].emulator->total(kTimeMetric);
  evidence.ladder = stages(evidence, {ms, 1.02 * ms, ms / 2});
  auto rung = find_rung(evidence);
  CHECK(rung->next_title == "title of 02_few");
  CHECK(rung->next_times_faster == 1 / 1.02);
  CHECK(rung->faster_index == 3);
  evidence.ladder = stages(evidence, {ms / 4, ms / 2, ms / 8});
  rung = find_rung(evidence);
  CHECK(rung->next_title == "title of 02_few");
  CHECK(rung->next_times_faster == 0.5);
}

TEST_CASE("a rung for any program with a launch needs a resemblance to its stage",
          "[speed][rung]") {
  Lab lab = lab_with_rungs();
  lab.rungs[0].when = Expression("launches > 0");
  lab.rungs[1].when = lab.rungs[2].when = Expression("global_load_sectors < 0");
  Evidence evidence = right_evidence(lab);
  std::vector<KernelReport>& kernels = evidence.cases[1].emulator->kernels;
  const double ms = evidence.cases[1].emulator->total(kTimeMetric);
  evidence.ladder = stages(evidence, {ms, ms / 2, ms / 4});
  CHECK(find_rung(evidence));  // the stage's counters are not known
  evidence.ladder[0].cost.kernels = kernels;
  CHECK(find_rung(evidence));
  kernels[0].counters["shuffles"] = 100;
  CHECK_FALSE(find_rung(evidence));
  lab.rungs[0].when = Expression("global_load_sectors >= 0");  // it says what it takes
  CHECK(find_rung(evidence));
  lab.rungs[0].when = Expression("launches > 0");
  evidence.ladder[0].cost.kernels[0].counters["shuffles"] = 1;  // the stage has them, too
  CHECK(find_rung(evidence));

  // Another number of stores is another algorithm; a few more are a variant.
  constexpr const char* kStores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
  evidence.ladder[0].cost.kernels[0].counters[kStores] = 1000;
  kernels[0].counters[kStores] = 4000;
  CHECK(find_rung(evidence));
  kernels[0].counters[kStores] = 4001;
  CHECK_FALSE(find_rung(evidence));
  kernels[0].counters[kStores] = 249;
  CHECK_FALSE(find_rung(evidence));
  kernels[0].counters[kStores] = 1000;

  // As fast as the rung above, although the stage is not; a faster stage of this rung fits.
  evidence.ladder = stages(evidence, {4 * ms, ms, ms / 4});
  evidence.ladder[0].cost.kernels = kernels;
  CHECK_FALSE(find_rung(evidence));
  evidence.ladder[0].cost.modelled_ms = ms;
  CHECK(find_rung(evidence));
}

TEST_CASE("there is no rung without a right performance case that the emulator counted",
          "[speed][rung]") {
  const Lab lab = lab_with_rungs();
  Evidence wrong = right_evidence(lab);
  make_wrong(wrong, 1, "tail", 768, 0, 1);
  CHECK_FALSE(find_rung(wrong));
  Evidence uncounted = right_evidence(lab);
  uncounted.cases[1].emulator.reset();
  CHECK_FALSE(find_rung(uncounted));
  Evidence on_the_host = right_evidence(lab);
  on_the_host.cases[1].emulator->kernels.clear();
  CHECK_FALSE(find_rung(on_the_host));
  const Lab without = test_lab();
  CHECK_FALSE(find_rung(right_evidence(without)));
}

}  // namespace
}  // namespace warpgrade
