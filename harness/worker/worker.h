#pragma once

#include <cstdint>
#include <string_view>

namespace warpgrade::worker {

// The program around a student's function, in this order: open_files(), begin_submission(), the
// submission's own code, work(). A fault before begin_submission() is an internal error.

inline constexpr int kOurFault = 70;  // the grader's exit code for internal errors

/// What this process may do once its files are open, and who delivers its outputs.
enum class Access : std::uint8_t {
  gpu,  // everything that its sandbox allows; it writes its outputs itself
  open,  // the same, but the device process delivers them
  locked,  // only what lock_down() leaves; the device process delivers them
};

/// Opens the files of a request. Exits if that fails.
void open_files(const char* request, Access access);

/// Records that everything from here on is the submission's doing.
void begin_submission();

/// Records with which exception a submission in Python has ended.
void record_exception(std::string_view text);

/// Records that the harness cannot go on, and exits.
[[noreturn]] void give_up(std::string_view why);

/// Calls the function and completes the record.
/// @returns the exit code
[[nodiscard]] int work();

}  // namespace warpgrade::worker
