#pragma once

#include <stdexcept>
#include <string>

namespace warpgrade {

/// What `warpgrade` exits with. Scripts and CI depend on the numbers.
enum class ExitCode : int {
  passed = 0,
  not_yet = 1,
  usage = 2,
  environment = 3,
  internal = 70,  // an internal error; no points are lost
  interrupted = 130,
};

/// The command line, or a file that it names, is not usable. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// This machine lacks something: a compiler, a library, disk space, a permission. Exit code 3.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user interrupted the program (ctrl-C or SIGTERM). Exit code 130.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace warpgrade
