#include "grader/core/steps.h"

#include <fmt/core.h>

#include <cstdio>
#include <mutex>
#include <utility>

namespace warpgrade {
namespace {

std::mutex g_mutex;
std::function<void(const std::string&)> g_follow;

}  // namespace

void follow_steps(std::function<void(const std::string& step)> follow) {
  const std::lock_guard lock(g_mutex);
  g_follow = std::move(follow);
}

void print_steps() {
  follow_steps([](const std::string& step) { fmt::print(stderr, "progress: {}\n", step); });
}

void begin_step(const std::string& step) {
  const std::lock_guard lock(g_mutex);
  if (g_follow) g_follow(step);
}

}  // namespace warpgrade
