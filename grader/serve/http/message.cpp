#include "grader/serve/http/message.h"

#include <fmt/core.h>

#include <algorithm>

namespace warpgrade {
namespace {

constexpr std::size_t kMostEvents = 200;  // that a log keeps

}  // namespace

const std::string& HttpRequest::header(const std::string& name) const {
  static const std::string none;
  const auto it = headers.find(name);
  return it == headers.end() ? none : it->second;
}

std::string ServerEvent::text() const {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, type, data);
}

EventLog::EventLog(std::string epoch) : epoch_(std::move(epoch)) {}

void EventLog::add(const std::string& type, std::string data) {
  append(type, std::move(data), false);
}

void EventLog::close(const std::string& type, std::string data) {
  append(type, std::move(data), true);
}

void EventLog::append(const std::string& type, std::string data, bool last) {
  std::replace(data.begin(), data.end(), '\n', ' ');
  std::replace(data.begin(), data.end(), '\r', ' ');
  std::vector<std::shared_ptr<std::function<void()>>> wake;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    events_.push_back({fmt::format("{}-{}", epoch_, next_++), type, std::move(data)});
    if (events_.size() > kMostEvents) events_.erase(events_.begin());
    closed_ = last;
    std::erase_if(subscribers_, [](const auto& s) { return s.expired(); });
    for (const auto& subscriber : subscribers_) {
      if (auto held = subscriber.lock()) wake.push_back(std::move(held));
    }
  }
  for (const auto& call : wake) (*call)();
}

EventLog::Batch EventLog::after(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto it = std::find_if(events_.begin(), events_.end(),
                               [&](const ServerEvent& event) { return event.id == id; });
  return {{it == events_.end() ? events_.begin() : it + 1, events_.end()}, closed_};
}

std::shared_ptr<void> EventLog::subscribe(std::function<void()> wake) {
  auto held = std::make_shared<std::function<void()>>(std::move(wake));
  const std::lock_guard lock(mutex_);
  subscribers_.emplace_back(held);
  return held;
}

}  // namespace warpgrade
