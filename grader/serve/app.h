#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/http/message.h"
#include "grader/serve/http/url.h"
#include "grader/serve/jobs/jobs.h"
#include "grader/serve/store/store.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The routes of `warpgrade serve`: from a request to what the store and the jobs say. Thread-safe.
class App {
 public:
  App(Installation installation, std::vector<Lab> labs, Guard guard, Store& store, Jobs& jobs);

  [[nodiscard]] HttpReply handle(const HttpRequest& request);

 private:
  [[nodiscard]] HttpReply route(const HttpRequest& request, const Target& target);
  [[nodiscard]] HttpReply get(const HttpRequest& request, const Target& target);
  [[nodiscard]] HttpReply get_lab(const Lab& lab, const std::string& what);
  [[nodiscard]] HttpReply get_attempt(const HttpRequest& request, std::int64_t id,
                                      const std::string& what);
  [[nodiscard]] HttpReply change(const HttpRequest& request, const Target& target);
  [[nodiscard]] HttpResponse begin(const Lab& lab, AttemptKind kind, const FileSet& files);
  [[nodiscard]] HttpResponse compare(const Target& target);
  [[nodiscard]] const Lab* find(const std::string& id) const;
  [[nodiscard]] std::string handout(const Lab& lab);

  Installation installation_;
  std::vector<Lab> labs_;
  Guard guard_;
  Store& store_;
  Jobs& jobs_;
  std::mutex handouts_mutex_;
  std::map<std::string, std::string> handouts_;  // rendered, by lab
};

}  // namespace warpgrade
