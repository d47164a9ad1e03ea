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

/// The inputs of timed calls: files longer than the inputs, of which each call gets a different
/// window. Outputs for the window at 0 are known in float64; those for others are compared with the
/// reference's.
struct TimedInputs {
  struct File {
    std::filesystem::path path;
    std::uint64_t windows = 1;  // number of windows: first elements 0 to windows - 1
    bool mixes = false;  // its elements may be in any order
  };
  const Lab* lab = nullptr;  // must outlive this
  Case spec;
  std::map<std::string, File> files;  // by parameter
  std::map<std::string, Expected> expected;  // of the windows at 0
  std::uint64_t bytes = 0;  // of all arrays: the minimum that any program must move
};

/// Makes the files in `folder`. The data of a hidden case depend on the secret and differ from
/// those of the judged case.
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
/// @param processor    the host processor for a function on host pointers; none: any
/// @throws std::filesystem::filesystem_error
[[nodiscard]] PreparedTiming prepare_timing(const TimedInputs& inputs,
                                            const std::filesystem::path& folder, bool both_clocks,
                                            std::optional<unsigned> processor = std::nullopt);

/// In place of a window's first element: its other bits are the key of a random order of parts of
/// the input's file, on a GPU. Windows overlap, so a program could find in a call's input what it
/// has computed of an earlier one.
constexpr std::uint64_t kMixedWindow = std::uint64_t{1} << 63U;

/// First elements of windows, by parameter; others begin at 0.
using Windows = std::map<std::string, std::uint64_t>;

/// Appends one command for the worker: "warm" and "run", with windows, "save" and "stop".
/// @throws std::filesystem::filesystem_error
void give_turn(const TimedInputs& inputs, const PreparedTiming& timing, std::string_view what,
               const Windows& windows);

/// Compares the outputs of call `number`, with the windows at 0, with the golden function's: one
/// sentence, or nothing if they are right.
[[nodiscard]] std::optional<std::string> wrong_by_golden(const TimedInputs& inputs,
                                                         const PreparedTiming& timing,
                                                         std::uint64_t number);

/// Compares two programs' outputs for the same windows. Integers and exact cases must be equal;
/// floats may differ by twice the largest bound of the windows at 0, because both have errors.
[[nodiscard]] std::optional<std::string> wrong_by_reference(const TimedInputs& inputs,
                                                            const PreparedTiming& submission,
                                                            const PreparedTiming& reference,
                                                            std::uint64_t number);

/// Removes the outputs of a call.
void remove_outputs(const TimedInputs& inputs, const PreparedTiming& timing, std::uint64_t number);

}  // namespace warpgrade
