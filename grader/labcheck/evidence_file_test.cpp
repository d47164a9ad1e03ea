#include "grader/labcheck/evidence_file.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/labcheck/headlines.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::add_finding;
using testing::make_wrong;
using testing::right_evidence;
using testing::test_lab;

TEST_CASE("evidence that was kept gives the same headline, without a run", "[labcheck][evidence]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "everything", 0, std::numeric_limits<double>::quiet_NaN(), 1);
  evidence.cases[1].report.wrong_elements = evidence.cases[1].report.elements;
  evidence.cases[1].emulator->kernels[0].counters["global_atomic_threads"] = 100;
  const KeptEvidence kept{evidence, {}, {{.name = "vecadd.cu", .text = "// nothing"}}};
  const ScratchFolder folder;
  write_evidence(kept, folder.path() / "program.json");
  const Headlines before = headlines_of(kept);
  const Headlines after = headlines_of(read_evidence(folder.path() / "program.json", lab));
  CHECK(before.all.pitfall == "P34");
  CHECK(after.all.pitfall == before.all.pitfall);
  CHECK(after.all.summary == before.all.summary);
  CHECK(after.built);
}

TEST_CASE("findings, sources and what did not build are kept", "[labcheck][evidence]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "oob-global-write", "error");
  evidence.cases[0].emulator->findings = evidence.findings;
  const ScratchFolder folder;
  write_evidence({evidence, {}, {{.name = "vecadd.cu", .text = "int x;"}}},
                 folder.path() / "a.json");
  const KeptEvidence kept = read_evidence(folder.path() / "a.json", lab);
  REQUIRE(kept.evidence.findings.size() == 1);
  CHECK(kept.evidence.findings[0].kind == "oob-global-write");
  CHECK(kept.sources[0].text == "int x;");
  Evidence unbuilt;
  unbuilt.lab = &lab;
  unbuilt.build_problem = "vecadd.cu is empty";
  write_evidence({unbuilt, {}, {}}, folder.path() / "b.json");
  CHECK_FALSE(headlines_of(read_evidence(folder.path() / "b.json", lab)).built);
}

TEST_CASE("a file that is no evidence is an error that names it", "[labcheck][evidence]") {
  const ScratchFolder folder;
  const auto file = folder.path() / "broken.json";
  write_file_atomically(file, "{\"lab\": 1}");
  CHECK_THROWS_AS(read_evidence(file, test_lab()), UsageError);
}

}  // namespace
}  // namespace warpgrade
