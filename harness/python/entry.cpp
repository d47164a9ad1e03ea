// The worker of submissions in Python: a library that start.py loads into the interpreter, around
// which a call of the student's function is as in CUDA C++.

#include <cstdlib>

#include "harness/worker/worker.h"

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

/// What the glue of a lab in CUDA C++ defines; here start.py sets both.
unsigned warpgrade_parameter_count = 0;
void warpgrade_call(void* const* arguments);

/// @param delivered  the device process delivers the outputs
[[gnu::visibility("default")]] void warpgrade_python_open(const char* request, int delivered);
/// The harness's own part of Python cannot go on. Does not return.
[[gnu::visibility("default")]] void warpgrade_python_fault(const char* why);
/// The student's code comes next.
[[gnu::visibility("default")]] void warpgrade_python_begin();
/// The student's code has ended the program. Does not return.
[[gnu::visibility("default")]] void warpgrade_python_exited(int code);
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

void warpgrade_python_open(const char* request, int delivered) {
  warpgrade::worker::open_files(request, delivered != 0 ? Access::open : Access::gpu);
}

void warpgrade_python_fault(const char* why) {
  warpgrade::worker::give_up(why);
}

void warpgrade_python_begin() {
  warpgrade::worker::begin_submission();
}

void warpgrade_python_exited(int code) {
  std::exit(code);
}

void warpgrade_python_work(unsigned arguments, void (*function)(void* const*)) {
  warpgrade_parameter_count = arguments;
  g_function = function;
  // Without the interpreter's own end, which runs code of the student's: the exit handlers of C
  // tell the device process that the program has ended.
  std::exit(warpgrade::worker::work());
}
