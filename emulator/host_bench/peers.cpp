#include "emulator/host_bench/peers.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/host_bench/measure.h"

namespace warpsim::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kThreads = 2;
constexpr int kLaunches = 11;

struct Workload {
  const char* kernel;
  const char* size;  // the programs' first argument
  const char* title;
};
constexpr std::array kWorkloads{Workload{"gemm", "256", "gemm 256^3, tile 16"},
                                Workload{"vecadd", "20", "vecadd 2^20"},
                                Workload{"reduction", "20", "reduction 2^20"}};

struct Peer {
  const char* title;
  const char* environment;
  const char* launcher;
  const char* checks;  // our checks for this comparison
  const char* jit;  // whether we have native code: off or on
  int launches;
  int turns;  // alternations, because the machine's load varies
  int runs;  // of ours per alternation, before and after the peer's
};
// Oclgrind interprets, so its first launch is as fast as its tenth, and takes seconds. POCL
// compiles at the first one.
constexpr std::array kPeers{
    Peer{"Oclgrind", "OPENCL_PEER=Oclgrind", "oclgrind --num-threads 2", "bounds,counters", "on", 1,
         1, 6},
    Peer{"Oclgrind, all checks", "OPENCL_PEER=Oclgrind",
         "oclgrind --num-threads 2 --data-races --uninitialized --inst-counts", "all", "on", 1, 1,
         6},
    Peer{"POCL, native code", "OPENCL_PEER=Portable POCL_MAX_PTHREAD_COUNT=2", "", "none", "off",
         kLaunches, 9, 1},
    Peer{"POCL, native code", "OPENCL_PEER=Portable POCL_MAX_PTHREAD_COUNT=2", "", "none", "on",
         kLaunches, 9, 1}};

std::optional<Samples> measure(const fs::path& bin, const Peer& peer, const Workload& work) {
  const std::string command =
      fmt::format("{} {} '{}' {} {} {} 2>&1", peer.environment, peer.launcher,
                  (bin / "bench" / "opencl_peer").string(), work.kernel, work.size, peer.launches);
  try {
    return launch_times(output_of(command));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The medians over a workload's alternations; the ratio is the median of their ratios.
struct Comparison {
  std::vector<double> theirs;  // seconds; empty if the peer is not installed
  std::vector<double> ours;
  std::vector<double> ratios;
};

Comparison take_turns(const fs::path& bin, const Peer& peer, const Workload& work) {
  const Simulation simulation{bin, kThreads};
  Comparison found;
  const std::string arguments = fmt::format("{} {}", work.size, kLaunches);
  for (int turn = 0; turn < peer.turns; ++turn) {
    std::vector<double> medians;
    const auto run_ours = [&](int runs) {
      for (int run = 0; run < runs; ++run) {
        medians.push_back(
            simulation
                .launches(work.kernel, peer.checks, arguments, "--jit " + std::string(peer.jit))
                .median());
      }
    };
    run_ours(peer.runs / 2);
    const std::optional<Samples> theirs = measure(bin, peer, work);
    run_ours(peer.runs - peer.runs / 2);
    found.ours.push_back(sorted(medians).median());
    if (!theirs) continue;
    found.theirs.push_back(theirs->median());
    found.ratios.push_back(found.theirs.back() / found.ours.back());
  }
  return found;
}

}  // namespace

nlohmann::json compare_with_peers(const fs::path& bin) {
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("{:<22} {:<16} {:<7} {:>12} {:>11} {:>11}\n", "peer, two threads", "our checks",
             "native", "peer, ms", "ours, ms", "peer / ours");
  for (const Peer& peer : kPeers) {
    for (const Workload& work : kWorkloads) {
      const Comparison found = take_turns(bin, peer, work);
      const double ours = sorted(found.ours).median();
      nlohmann::json row{{"peer", peer.title},
                         {"kernel", work.title},
                         {"checks", peer.checks},
                         {"native", std::string_view(peer.jit) == "on"},
                         {"emulator_seconds", ours}};
      fmt::print("{:<22} {:<16} {:<7} ", peer.title, peer.checks, peer.jit);
      if (!found.ratios.empty()) {
        const double theirs = sorted(found.theirs).median();
        const double ratio = sorted(found.ratios).median();
        row["peer_seconds"] = theirs;
        row["ratio"] = ratio;
        fmt::print("{:>12.2f} {:>11.2f} {:>10.2f}x  {}\n", theirs * 1e3, ours * 1e3, ratio,
                   work.title);
      } else {
        row["peer_seconds"] = nullptr;
        fmt::print("{:>12} {:>11.2f} {:>11}  {}\n", "not here", ours * 1e3, "", work.title);
      }
      std::fflush(stdout);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace warpsim::bench
