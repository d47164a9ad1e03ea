#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/worker/record_writer.h"
#include "harness/worker/request.h"

namespace warpgrade::worker {

/// A request with all of its files open: the record, inputs and outputs. For timed calls only the
/// record, because the number of outputs is unknown.
struct OpenedRequest {
  Request request;
  std::unique_ptr<RecordWriter> record;
  std::optional<Request> first;  // the request of a call before this one
  std::string problem;  // why a file of data could not be opened; empty: all are open
};

/// Reads a request, writes "started" to its record, opens its files, and removes the request, whose
/// nonce is for this process alone.
///
/// @param delivered  another process delivers the outputs, so that their files are not needed
/// @throws RequestError, std::system_error  if there is no record
[[nodiscard]] OpenedRequest open_request(const std::string& file, bool delivered);

}  // namespace warpgrade::worker
