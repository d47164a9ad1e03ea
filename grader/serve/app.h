#pragma once

#include <optional>
#include <vector>

#include "grader/core/installation.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/http/message.h"
#include "grader/serve/routes/call.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// `warpgrade serve` without its socket and its processes: who sends a request, and what the answer
/// to it is. Thread-safe.
class App {
 public:
  /// For one person.
  App(Installation installation, std::vector<Lab> labs, Guard guard, Site site, Store& store,
      Jobs& jobs);
  /// From now on there is a playground, unless a lab has its id.
  void open_playground();
  /// For a class.
  App(Installation installation, std::vector<Lab> labs, Site site, Store& store, Jobs& jobs,
      Classroom& classroom);

  [[nodiscard]] HttpReply handle(const HttpRequest& request);

 private:
  [[nodiscard]] HttpReply for_owner(const HttpRequest& request,
                                    const std::optional<Target>& target);
  [[nodiscard]] HttpReply for_class(const HttpRequest& request,
                                    const std::optional<Target>& target);
  [[nodiscard]] HttpReply routed(const HttpRequest& request, const std::optional<Target>& target,
                                 Caller caller);
  [[nodiscard]] Caller caller_of(const HttpRequest& request);

  std::optional<Guard> guard_;
  Server server_;
};

}  // namespace warpgrade
