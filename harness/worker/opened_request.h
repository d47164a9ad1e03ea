#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/worker/record_writer.h"
#include "harness/worker/request.h"

namespace warpgrade::worker {

/// A request with all open that it names: the record, the inputs' and the outputs' files. Of timed
/// calls the record only: how many outputs they leave is not known before.
struct OpenedRequest {
  Request request;
  std::unique_ptr<RecordWriter> record;
  std::optional<Request> first;  // the request of a call before this one
};

/// Reads a request, notes "started" in its record, opens its files, and removes the request: its
/// nonce is for this process alone. A data file that cannot be opened is none yet: whoever uses it
/// says so.
///
/// @throws RequestError, std::system_error
[[nodiscard]] OpenedRequest open_request(const std::string& file);

}  // namespace warpgrade::worker
