#include "emulator/cudart/meanwhile.h"

#include <algorithm>
#include <array>

namespace warpsim::cudart {
namespace {

/// Calls with these words in their names wait for the device, or free what a kernel may use.
constexpr std::array<std::string_view, 12> kWaits = {
    "Destroy",     "DeviceSynchronize", "Exit",       "Free",  "FromPool",          "Graph",
    "MallocAsync", "MemPool",           "PeerAccess", "Reset", "ThreadSynchronize", "Un"};
/// Those of them that do not.
constexpr std::array<std::string_view, 3> kGoesOn = {"cudaEventDestroy", "cudaGraphLaunch",
                                                     "cudaStreamDestroy"};

bool is_copy(std::string_view call) {
  return call.starts_with("cudaMemcpy") || call.starts_with("cudaMemset");
}

}  // namespace

Meanwhile meanwhile(std::string_view call) {
  if (std::ranges::find(kGoesOn, call) != kGoesOn.end()) return Meanwhile::goes_on;
  const bool is_launch = call.starts_with("<<<") || call.starts_with("__cuda");
  if (is_launch) return Meanwhile::goes_on;
  // The calls of libraries may return a result to host code.
  if (!call.starts_with("cuda")) return Meanwhile::waits;
  const auto in_name = [&](std::string_view word) { return call.find(word) != call.npos; };
  if (std::ranges::any_of(kWaits, in_name)) return Meanwhile::waits;
  if (is_copy(call) && !in_name("Async")) return Meanwhile::waits_in_default_stream;
  return Meanwhile::goes_on;
}

}  // namespace warpsim::cudart
