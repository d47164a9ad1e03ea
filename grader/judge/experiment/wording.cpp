#include "grader/judge/experiment/wording.h"

#include <fmt/core.h>

#include "harness/core/plural.h"

namespace warpgrade {
namespace {

std::string place_of(const Cause& cause) {
  return cause.line == 0 ? "the launch" : fmt::format("line {} of {}", cause.line, cause.file);
}

std::string barrier_place(const ProofParts& said) {
  return fmt::format("{} {}{}", said.behind ? "after" : "before",
                     said.around_branch ? "the branch or loop with " : "", place_of(said.cause));
}

/// The change, as the beginning of a sentence.
std::string place_words(const ProofParts& said) {
  switch (said.cause.kind) {
    case CauseKind::direction:
      return "With one change of the copies";
    case CauseKind::launch:
    case CauseKind::blocks:
    case CauseKind::block_size:
      return "With one change of the launches";
    case CauseKind::axes:
      if (said.cause.line == 0) return "With one change of the indices";
      return fmt::format("With one change of an index at {}", place_of(said.cause));
    case CauseKind::row_length:
    case CauseKind::thread_and_block:
    case CauseKind::signs:
      return "With one change of what indices are computed from";
    case CauseKind::bytes:
      return "With one change of the sizes that calls of the host get";
    case CauseKind::outputs:
      return "With one change before the kernels run";
    default:
      return fmt::format("With one change at {}", place_of(said.cause));
  }
}

std::string kind_words(const ProofParts& said, bool tells_code) {
  const Cause& cause = said.cause;
  switch (cause.kind) {
    case CauseKind::direction:
      return tells_code ? "With each copy in the direction of its pointers (cudaMemcpyDefault)"
                        : "With each copy in the direction of its pointers";
    case CauseKind::launch:
    case CauseKind::blocks:
    case CauseKind::axes:
    case CauseKind::block_size:
    case CauseKind::thread_and_block:
    case CauseKind::signs:
    case CauseKind::bytes:
      return fmt::format("With {}", said.words);
    case CauseKind::row_length:
      return tells_code ? fmt::format("With {}", said.words)
                        : "With another parameter of the kernel as the length of a row";
    case CauseKind::outside:
      return tells_code ? fmt::format("With a bounds check for the accesses at {}", place_of(cause))
                        : fmt::format("Without the out-of-bounds accesses at {}", place_of(cause));
    case CauseKind::barrier:
      return fmt::format("With {} {}", tells_code ? "`__syncthreads();`" : "a block barrier",
                         barrier_place(said));
    case CauseKind::indivisible:
      return fmt::format("With the update at {} done as {}", place_of(cause),
                         tells_code ? "an atomic operation, such as atomicAdd" : "one atomic step");
    case CauseKind::uninitialized:
      return fmt::format("If uninitialized memory, such as {} reads, held {}", place_of(cause),
                         said.by_zero ? "0" : "the operation's neutral element");
    case CauseKind::outputs:
      return "If the output held 0 before the call";
  }
  return {};
}

}  // namespace

std::string proof(const ProofParts& said, Hints hints) {
  const Cause& cause = said.cause;
  const std::string words =
      hints == Hints::place ? place_words(said) : kind_words(said, hints == Hints::fix);
  const bool assumes = words.starts_with("If ");
  const bool all = cause.right == cause.tried;
  const char* which = cause.from_hidden ? "hidden" : "visible";
  const bool one = all && cause.tried == 1;
  const std::string number =
      fmt::format("{} {} {}{}",
                  one   ? "the 1"
                  : all ? fmt::format("all {}", cause.tried)
                        : fmt::format("{} of {}", cause.right, cause.tried),
                  which, noun(cause.tried, "case"), said.tried_all ? "" : " that were tried");
  if (said.about_races) {
    return fmt::format("{}, {} {} correct and free of races.", words, number, one ? "is" : "are");
  }
  const std::size_t now = said.right_now.value_or(cause.right - cause.cases.size());
  return fmt::format("{}, {} {} correct; now {}.", words, number,
                     assumes ? "would be"
                     : one   ? "is"
                             : "are",
                     now == 0   ? "none is"
                     : now == 1 ? "1 is"
                                : fmt::format("{} are", now));
}

std::string headline(const Cause& cause) {
  switch (cause.kind) {
    case CauseKind::direction:
      return "A copy has the wrong direction.";
    case CauseKind::launch:
      return "A kernel never ran: its launch fails.";
    case CauseKind::outside:
      return fmt::format("{}:{}: accesses are out of bounds.", cause.file, cause.line);
    case CauseKind::barrier:
      return fmt::format(
          "{}:{}: threads read data that other threads of the block have not written yet, or "
          "overwrite data they still need.",
          cause.file, cause.line);
    case CauseKind::indivisible:
      return fmt::format(
          "{}:{}: several threads update one location concurrently, and updates are lost.",
          cause.file, cause.line);
    case CauseKind::uninitialized:
      return fmt::format("{}:{}: uninitialized memory is read.", cause.file, cause.line);
    case CauseKind::outputs:
      return "The output is accumulated into without being initialized.";
    case CauseKind::blocks:
      return "The grid has too few blocks.";
    case CauseKind::axes:
      if (cause.line == 0) return "x and y are swapped.";
      return fmt::format("{}:{}: row and column are swapped in an index.", cause.file, cause.line);
    case CauseKind::row_length:
      return fmt::format("{}:{}: the index is computed with the wrong length of a row.", cause.file,
                         cause.line);
    case CauseKind::thread_and_block:
      return fmt::format("{}:{}: threadIdx and blockIdx are swapped in the index.", cause.file,
                         cause.line);
    case CauseKind::signs:
      return fmt::format("{}:{}: bytes above 127 are read as negative numbers.", cause.file,
                         cause.line);
    case CauseKind::bytes:
      return "A size is given in elements instead of bytes.";
    case CauseKind::block_size:
      return "The code assumes a block size other than the one it is launched with.";
  }
  return {};
}

}  // namespace warpgrade
