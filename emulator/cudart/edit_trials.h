#pragma once

#include <filesystem>

#include "emulator/cudart/call_record.h"

namespace warpsim::cudart {

class Runtime;

/// Does the work of a recorded call again and again, each time with one edit of the kernels' code
/// (machine/code_edits.h) and otherwise with the same inputs, to see with which of them the outputs
/// are others. The report, the findings and the time of the run do not depend on it.
///
/// Limits are counts, so that every machine gets the same results: of edits; of instructions of a
/// warp, which are those of the run, so that a loop without an end ends; of instructions of all
/// together; of bytes of outputs.
///
/// @param file  edits to try (edits_file.h), where results are put beside it
void try_edits(Runtime& runtime, const CallRecord& record, const std::filesystem::path& file);

/// Whether a file has edits, and no inputs.
[[nodiscard]] bool has_edits(const std::filesystem::path& file);

}  // namespace warpsim::cudart
