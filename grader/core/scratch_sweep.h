#pragma once

namespace warpgrade {

/// Removes temporary folders left behind by a killed grader. Those in use, by this process or
/// another, stay.
void sweep_scratch_folders();

}  // namespace warpgrade
