#include "grader/serve/monitor.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "grader/core/version.h"
#include "grader/serve/store/schema.h"

namespace warpgrade {
namespace {

/// A proxy passes on the name of the class's server instead.
bool asks_this_machine(const HttpRequest& request) {
  const std::string_view host = request.header("host");
  return host.starts_with("127.0.0.1:") || host.starts_with("localhost:");
}

HttpResponse ready(const Store& store) {
  try {
    static_cast<void>(store.queue());
    return {.body = "ready\n"};
  } catch (const StoreError& e) {
    return {.status = 503, .body = std::string(e.what()) + "\n"};
  }
}

void add_metric(std::string& text, std::string_view name, std::string_view help) {
  text += fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", name, help);
}

HttpResponse metrics(const Store& store) {
  std::string text;
  add_metric(text, "warpgrade_info", "The version that runs.");
  text += fmt::format("warpgrade_info{{version=\"{}\"}} 1\n", kVersion);
  try {
    const QueueState queue = store.queue();
    add_metric(text, "warpgrade_attempts", "Attempts that wait or run, by urgency.");
    std::int64_t oldest_ms = 0;
    for (const QueueState::Count& count : queue.counts) {
      text += fmt::format("warpgrade_attempts{{state=\"{}\",urgency=\"{}\"}} {}\n",
                          slug(count.state), slug(count.urgency), count.attempts);
      if (count.state != AttemptState::waiting) continue;
      oldest_ms = oldest_ms == 0 ? count.oldest_ms : std::min(oldest_ms, count.oldest_ms);
    }
    const std::int64_t waits_ms =
        oldest_ms == 0 ? 0 : std::max<std::int64_t>(now_ms() - oldest_ms, 0);
    add_metric(text, "warpgrade_longest_wait_seconds", "For how long the oldest attempt waits.");
    text +=
        fmt::format("warpgrade_longest_wait_seconds {}\n", static_cast<double>(waits_ms) / 1000);
    add_metric(text, "warpgrade_workers", "Workers on other machines that are there.");
    text += fmt::format("warpgrade_workers {}\n", queue.workers);
    add_metric(text, "warpgrade_database_up", "Whether the database answers.");
    text += "warpgrade_database_up 1\n";
  } catch (const StoreError&) {
    add_metric(text, "warpgrade_database_up", "Whether the database answers.");
    text += "warpgrade_database_up 0\n";
  }
  return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = std::move(text)};
}

}  // namespace

std::optional<HttpResponse> answer_monitor(const HttpRequest& request, const Target& target,
                                           const Store& store) {
  if (request.method != "GET" || target.path.size() != 1) return std::nullopt;
  const std::string& name = target.path[0];
  if (name == "health") return HttpResponse{.body = "ok\n"};
  if (name == "ready") return ready(store);
  if (name == "metrics" && asks_this_machine(request)) return metrics(store);
  return std::nullopt;
}

}  // namespace warpgrade
