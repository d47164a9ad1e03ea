#include "harness/worker/opened_request.h"

#include <fcntl.h>
#include <unistd.h>

namespace warpgrade::worker {

namespace {

void open_inputs(Request& request) {
  for (Argument& argument : request.arguments) {
    if (argument.is_array() && argument.is_input) {
      argument.input_fd = open(request.path(argument.input_file).c_str(), O_RDONLY | O_CLOEXEC);
    }
  }
}

void open_outputs(Request& request) {
  for (Argument& argument : request.arguments) {
    if (argument.is_array() && argument.is_output) {
      argument.output_fd = open(request.path(argument.output_file).c_str(),
                                O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    }
  }
}

}  // namespace

OpenedRequest open_request(const std::string& file) {
  OpenedRequest opened;
  opened.request = read_request(file);
  Request& request = opened.request;
  opened.record = std::make_unique<RecordWriter>(request.path(request.record));
  opened.record->line("started");
  unlink(file.c_str());
  if (request.timed) return opened;
  open_inputs(request);
  open_outputs(request);
  if (!request.first.empty()) {
    const std::string first = request.path(request.first);
    opened.first = read_request(first);
    unlink(first.c_str());
    open_inputs(*opened.first);
  }
  return opened;
}

}  // namespace warpgrade::worker
