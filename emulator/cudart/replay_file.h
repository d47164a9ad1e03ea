#pragma once

#include <string>
#include <string_view>

// What a replay (call_replay.h) leaves in the folder of its name: each output as the worker writes
// it, and a file that says how it ended.

namespace warpsim::cudart::replay_file {

/// Four lines, each a word and its value: `problem`, half a sentence, empty if the replay came to
/// its end; `host_reads`, bytes of device data that host code could have used for later work,
/// all ones if that is not known;
/// `output_reads`, such bytes of outputs, which stayed as they were; `host_bytes`, bytes that it
/// gave to the device.
inline constexpr std::string_view kEnd = "end.txt";

/// The file of an output, by the name of its argument.
[[nodiscard]] inline std::string output(const std::string& name) {
  return "out-" + name + ".bin";
}

}  // namespace warpsim::cudart::replay_file
