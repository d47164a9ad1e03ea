#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpgrade {

/// Our own environment, complete, for a ProcessSpec.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> whole_environment();

/// A program that we trust: it has our standard descriptors, our folder, our environment and no
/// limits. It gets SIGTERM when the object goes.
class AttachedProcess {
 public:
  /// @param argv  argv[0] is looked up in PATH if it has no slash
  /// @throws EnvironmentError  if it cannot be started
  explicit AttachedProcess(std::vector<std::string> argv);
  AttachedProcess(const AttachedProcess&) = delete;
  AttachedProcess& operator=(const AttachedProcess&) = delete;
  ~AttachedProcess() { stop(); }

  /// Its exit code, or nothing while it runs; 128 and the signal's number if a signal ended it.
  std::optional<int> ended();
  /// Until it ends, also when a signal interrupts us.
  void wait();
  /// Its own children end with it.
  void stop();

 private:
  pid_t pid_ = -1;
};

}  // namespace warpgrade
