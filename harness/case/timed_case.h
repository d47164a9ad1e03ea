#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/case/case_data.h"
#include "harness/golden/golden_library.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The inputs of timed calls: files longer than the inputs, of which each call gets a window of its
/// own. The window at 0 was computed in float64; of the others, the reference's output is known.
struct TimedInputs {
  struct File {
    std::filesystem::path path;
    std::uint64_t windows = 1;  // so many different ones: first elements 0 to windows - 1
  };
  const Lab* lab = nullptr;  // outlives this
  Case spec;
  std::map<std::string, File> files;  // by parameter
  std::map<std::string, Expected> expected;  // of the windows at 0
  std::uint64_t bytes = 0;  // of all arrays: the least that any program must move
};

/// Makes the files in `folder`. The data of a hidden case mix in the secret; they are not those of
/// the case that is judged.
/// @throws std::filesystem::filesystem_error, LabError
[[nodiscard]] TimedInputs make_timed_inputs(const Lab& lab, const Case& spec, const Secret& secret,
                                            const GoldenLibrary& golden,
                                            const std::filesystem::path& folder);

/// A worker of timed calls, laid out on disk.
struct PreparedTiming {
  std::filesystem::path folder;
  std::filesystem::path request;  // the worker's only argument
  std::string nonce;
};

/// @param both_clocks  false on the emulator
/// @param processor    of the host, from which a function on host pointers is called; none: any
/// @throws std::filesystem::filesystem_error
[[nodiscard]] PreparedTiming prepare_timing(const TimedInputs& inputs,
                                            const std::filesystem::path& folder, bool both_clocks,
                                            std::optional<unsigned> processor = std::nullopt);

/// First elements of windows, by parameter; those that are not named begin at 0.
using Windows = std::map<std::string, std::uint64_t>;

/// Appends one turn for the worker: "warm" and "run", with windows, "save" and "stop".
/// @throws std::filesystem::filesystem_error
void give_turn(const TimedInputs& inputs, const PreparedTiming& timing, std::string_view what,
               const Windows& windows);

/// What is wrong with the outputs of call `number`, on the windows at 0, by the golden function;
/// nothing when they are right. One sentence.
[[nodiscard]] std::optional<std::string> wrong_by_golden(const TimedInputs& inputs,
                                                         const PreparedTiming& timing,
                                                         std::uint64_t number);

/// The same of two programs' outputs for the same windows. Integers and exact cases must agree, of
/// floats no element may be further off than twice the largest bound of the windows at 0: both err.
[[nodiscard]] std::optional<std::string> wrong_by_reference(const TimedInputs& inputs,
                                                            const PreparedTiming& submission,
                                                            const PreparedTiming& reference,
                                                            std::uint64_t number);

/// Removes the outputs of a call.
void remove_outputs(const TimedInputs& inputs, const PreparedTiming& timing, std::uint64_t number);

}  // namespace warpgrade
