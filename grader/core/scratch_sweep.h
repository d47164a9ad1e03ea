#pragma once

namespace warpgrade {

/// Removes scratch folders of ours that a grader which was killed has left in the system's place
/// for temporary files. Those in use, by this process or another, stay.
void sweep_scratch_folders();

}  // namespace warpgrade
