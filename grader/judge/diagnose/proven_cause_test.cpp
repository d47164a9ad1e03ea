#include "grader/judge/diagnose/proven_cause.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

Cause barrier(std::size_t right) {
  Cause cause;
  cause.kind = CauseKind::barrier;
  cause.file = "scan.cu";
  cause.line = 14;
  cause.message = "Proof.";
  cause.tried = 4;
  cause.right = right;
  return cause;
}

TEST_CASE("a rule that names the same mistake keeps its sentence, followed by the proof",
          "[diagnose][unit]") {
  const Diagnosis d = with_proof({"The tile is overwritten too early.", "P23"}, barrier(4));
  CHECK(d.summary == "The tile is overwritten too early. Proof.");
  CHECK(d.pitfall == "P23");
}

TEST_CASE("a change that fixes all cases replaces a guess", "[diagnose][unit]") {
  const Diagnosis d = with_proof({"The number of blocks is rounded down.", "P2"}, barrier(4));
  CHECK(d.summary ==
        "scan.cu:14: threads read data that other threads of the block have not written yet, or "
        "overwrite data they still need. "
        "Proof.");
  CHECK(d.pitfall == "P22");
}

TEST_CASE("a change that fixes some cases does not replace it", "[diagnose][unit]") {
  const Diagnosis d = with_proof({"The number of blocks is rounded down.", "P2"}, barrier(3));
  CHECK(d.summary == "The number of blocks is rounded down. Proof.");
  CHECK(d.pitfall == "P2");
}

TEST_CASE("a change that fixes some cases says more than a description of what fails",
          "[diagnose][unit]") {
  const Diagnosis d = with_proof({"The case \"small\" is wrong.", ""}, barrier(3));
  CHECK(d.summary.starts_with("scan.cu:14: threads read data"));
  CHECK(d.pitfall == "P22");
}

TEST_CASE("swapped threads and blocks are named though no page is about them", "[diagnose][unit]") {
  Cause cause = barrier(4);
  cause.kind = CauseKind::thread_and_block;
  const Diagnosis d = with_proof({"scan.cu:14: 4-byte read past the end of `a`.", "P1"}, cause);
  CHECK(d.summary == "scan.cu:14: threadIdx and blockIdx are swapped in the index. Proof.");
  CHECK(d.pitfall.empty());
  cause.right = 3;  // it may be something else
  CHECK(with_proof({"scan.cu:14: 4-byte read past the end of `a`.", "P1"}, cause).pitfall == "P1");
}

}  // namespace
}  // namespace warpgrade
