#pragma once

#include "harness/worker/record_writer.h"
#include "harness/worker/request.h"

namespace warpgrade::worker {

/// Calls the student's function as often as the parent requests, and records two times per call:
/// the device's between two events, the host's until the end of cudaDeviceSynchronize().
///
/// For each timed call every input is another window of its file, copied into a buffer at another
/// address; outputs are poisoned; the L2 cache has none of the data. Outputs are written if the
/// parent requests them, which it decides after the call.
///
/// @throws std::runtime_error  after an internal error
void time_calls(const Request& request, RecordWriter& record);

}  // namespace warpgrade::worker
