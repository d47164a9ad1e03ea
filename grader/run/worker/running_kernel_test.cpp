#include "grader/run/worker/running_kernel.h"

#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

/// A note as the emulator writes it: a number and lines of text, in 4 KiB.
std::optional<ProgressNote> read(std::uint64_t begun, std::string_view text,
                                 std::size_t bytes = 4096) {
  const ScratchFolder folder;
  std::string note(reinterpret_cast<const char*>(&begun), sizeof begun);
  note += text;
  note.resize(bytes, '\0');
  write_file_atomically(folder.path() / "progress", note);
  return read_progress_note(folder.path() / "progress");
}

constexpr const char* kAdd = "kernel add(float*, int)\ngrid 40 1 1\nblock 256 1 1\n";

TEST_CASE("a kernel that ran when the program was stopped is reported with its progress",
          "[run][progress]") {
  const auto note = read(12, kAdd);
  REQUIRE(note);
  CHECK(describe(*note) ==
        "Kernel `add(float*, int)` was running, <<<40, 256>>>: 12 of its 40 blocks had started.");
  CHECK(describe(*read(70000, "kernel g\ngrid 300 300 1\nblock 16 16 1\n")) ==
        "Kernel `g` was running, <<<(300, 300, 1), (16, 16, 1)>>>: 70000 of its 90000 blocks had "
        "started.");
}

TEST_CASE(
    "a kernel makes progress if a fourth of its blocks, and more than run at a time, were begun",
    "[run][progress]") {
  const char* const kLarge = "kernel g\ngrid 300 300 1\nblock 16 16 1\n";
  CHECK(makes_progress(*read(22'500, kLarge)));
  CHECK_FALSE(makes_progress(*read(22'499, kLarge)));
  CHECK_FALSE(makes_progress(*read(40, kAdd)));
  CHECK_FALSE(makes_progress(*read(40, "")));
}

TEST_CASE("no kernel's name means that host code was running", "[run][progress]") {
  const auto note = read(40, "");
  REQUIRE(note);
  CHECK(describe(*note) == "No kernel was running: the time was spent in host code.");
}

TEST_CASE("a damaged note is ignored", "[run][progress]") {
  CHECK_FALSE(read(0, kAdd, 100));
  CHECK_FALSE(read(0, "kernel add\ngrid many\n"));
  CHECK_FALSE(read(0, "what"));
  CHECK_FALSE(read_progress_note("/nonexistent/progress"));
  const ScratchFolder folder;
  REQUIRE(::mkfifo((folder.path() / "progress").c_str(), 0600) == 0);
  // A pipe: must not wait for a writer.
  CHECK_FALSE(read_progress_note(folder.path() / "progress"));
  CHECK(describe(*read(~0ull, "kernel a\x1b[31m\ngrid 2 1 1\nblock 1 1 1\n")).find('\x1b') ==
        std::string::npos);
}

}  // namespace
}  // namespace warpgrade
