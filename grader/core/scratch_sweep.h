#pragma once

namespace warpgrade {

/// Removes scratch folders that a killed grader has left in the system's place
/// for temporary files. Those in use, by this process or another, stay.
void sweep_scratch_folders();

}  // namespace warpgrade
