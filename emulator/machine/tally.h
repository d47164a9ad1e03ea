#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/machine/context.h"
#include "emulator/machine/work_slice.h"

namespace warpsim {

/// Sums what the workers counted, launch by launch, and keeps it by kernel and by instruction.
class Tally {
 public:
  /// @param by_instruction  keep the text of instructions, for KernelCounters::instructions
  explicit Tally(bool by_instruction) : by_instruction_(by_instruction) {}

  /// What one launch did: everything but time, lines and instructions, which are kept here.
  [[nodiscard]] KernelCounters count(const LaunchState& launch,
                                     const std::vector<std::unique_ptr<Worker>>& workers);
  /// Adds a counted launch to its kernel.
  void add(const KernelCounters& launch);

  /// Keeps what a counted launch did towards its stores, for count_reaching.
  void keep(std::uint64_t launch, const KernelCounters& counted, const Kernel& kernel,
            const Card& card, const std::vector<std::unique_ptr<Worker>>& workers);
  /// As Machine::count_reaching.
  void count_reaching(const std::function<bool(std::uint64_t)>& reaches);

  /// Kernels in order of first launch, each with its lines and, where kept, its instructions.
  [[nodiscard]] const std::vector<KernelCounters>& kernels();

 private:
  /// One static instruction of a decoded function, over all launches.
  struct Site {
    InstructionTraits traits;
    std::uint32_t place = 0;  // index into KernelSites::places
    std::uint32_t index = 0;
    std::string text;
    Counts counts;
    GenericCounts generic;
  };
  struct Place {
    std::string file;
    std::uint32_t line = 0;
  };
  struct FunctionSites {
    std::string name;
    std::vector<Site> sites;
  };
  struct KernelSites {
    std::vector<Place> places;
    std::map<const Program*, FunctionSites> functions;
    std::vector<FunctionSites*> order;  // as they were first run
  };

  FunctionSites& sites_of(const std::string& kernel, const Program& program, const Card& card);
  void sum_program(const Program& program, FunctionSites& function,
                   const std::vector<std::unique_ptr<Worker>>& workers, Totals& totals);
  static void fill_lines(const KernelSites& sites, KernelCounters& kernel);
  static void fill_instructions(const KernelSites& sites, KernelCounters& kernel);

  /// Beyond this number launches count as of use.
  static constexpr std::size_t kMostKept = 4096;
  struct KeptLaunch {
    std::uint64_t number = 0;
    KernelCounters counters;
  };

  bool by_instruction_ = false;
  bool stale_ = false;  // lines and instructions in kernels_ are older than the sites
  std::vector<KernelCounters> kernels_;
  std::map<std::string, KernelSites> sites_;  // by kernel name
  std::map<const Kernel*, WorkSlices> slices_;
  std::vector<KeptLaunch> kept_;
  std::vector<KernelCounters> beyond_;  // sums of what was not kept one by one
};

}  // namespace warpsim
