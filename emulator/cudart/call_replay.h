#pragma once

#include <filesystem>

#include "emulator/cudart/call_record.h"
#include "emulator/cudart/decoy_inputs.h"

namespace warpsim::cudart {

class Runtime;

/// Does the work of a recorded call again, without the program: inputs are replaced by others
/// wherever the host passed them on, and everything else that came from the host is what it was. So
/// outputs that are right for the other inputs were computed by the device.
///
/// Memory is the replay's own, at the same addresses. Nothing of it is checked, counted or
/// reported, and the program's memory stays as it is.
///
/// @param folder  made for the outputs, by their names, and the file `end.txt` (replay_file.h)
void replay(Runtime& runtime, const CallRecord& record, DecoyInputs& inputs,
            const std::filesystem::path& folder);

}  // namespace warpsim::cudart
