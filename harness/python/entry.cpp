// The worker of submissions in Python: a library that start.py loads into the interpreter, around
// which a call of the student's function is as in CUDA C++.

#include <cstdlib>
#include <exception>

#include "harness/worker/lockdown.h"
#include "harness/worker/worker.h"

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

/// What the glue of a lab in CUDA C++ defines; here start.py sets both.
unsigned warpgrade_parameter_count = 0;
void warpgrade_call(void* const* arguments);

[[gnu::visibility("default")]] void warpgrade_python_open(const char* request);
/// The harness's own part of Python cannot go on. Does not return.
[[gnu::visibility("default")]] void warpgrade_python_fault(const char* why);
/// The student's code comes next.
/// @param locked  from here on no file is written (harness/worker/lockdown.h)
[[gnu::visibility("default")]] void warpgrade_python_begin(int locked);
/// The student's code has ended the program. Does not return.
/// @param raised  its exception, in one line; null: it asked for this exit code
[[gnu::visibility("default")]] void warpgrade_python_ended(int code, const char* raised);
/// Calls the function and exits. Does not return.
/// @param function  gets a pointer to each argument of the request
[[gnu::visibility("default")]] void warpgrade_python_work(unsigned arguments,
                                                          void (*function)(void* const*));
}
// NOLINTEND(readability-identifier-naming)

namespace {

using warpgrade::worker::Access;

void (*g_function)(void* const*) = nullptr;

}  // namespace

void warpgrade_call(void* const* arguments) {
  g_function(arguments);
}

void warpgrade_python_open(const char* request) {
  warpgrade::worker::open_files(request, Access::open);
}

void warpgrade_python_fault(const char* why) {
  warpgrade::worker::give_up(why);
}

void warpgrade_python_begin(int locked) {
  if (locked != 0) {
    try {
      warpgrade::worker::lock_down_interpreter();
    } catch (const std::exception& error) {
      warpgrade::worker::give_up(error.what());
    }
  }
  warpgrade::worker::begin_submission();
}

void warpgrade_python_ended(int code, const char* raised) {
  if (raised != nullptr) warpgrade::worker::record_exception(raised);
  std::exit(code);
}

void warpgrade_python_work(unsigned arguments, void (*function)(void* const*)) {
  warpgrade_parameter_count = arguments;
  g_function = function;
  // Without the interpreter's own end, which runs code of the student's: the exit handlers of C
  // tell the device process that the program has ended.
  std::exit(warpgrade::worker::work());
}
