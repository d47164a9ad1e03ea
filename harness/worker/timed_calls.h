#pragma once

#include "harness/worker/record_writer.h"
#include "harness/worker/request.h"

namespace warpgrade::worker {

/// Calls the student's function as often as the parent asks, and records two clocks for each call:
/// the device's between two events, the host's to the end of a synchronise of the whole device.
///
/// For each timed call every input is another part of its file, copied anew into a buffer at
/// another address; outputs hold the poison; the device's second-level cache holds none of them.
/// Outputs are written when the parent asks for them, which it decides after the call.
///
/// @throws std::runtime_error  when the harness cannot do its part
void time_calls(const Request& request, RecordWriter& record);

}  // namespace warpgrade::worker
