#include "harness/worker/opened_request.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>

namespace warpgrade::worker {

namespace {

int open_or_throw(const std::string& file, int flags) {
  const int descriptor = open(file.c_str(), flags | O_CLOEXEC, 0644);
  if (descriptor < 0)
    throw std::system_error(errno, std::generic_category(), "cannot open " + file);
  return descriptor;
}

/// A file in memory that several workers share is open already; an input begins at an offset of it:
/// "fd:200:4096".
constexpr std::string_view kOpen = "fd:";

void find_in_open_file(Argument& argument) {
  std::size_t length = 0;
  const std::string place = argument.input_file.substr(kOpen.size());
  argument.input_fd = std::stoi(place, &length);
  argument.shared_offset = std::stoull(place.substr(length + 1));
}

void open_inputs(Request& request) {
  for (Argument& argument : request.arguments) {
    if (argument.is_array() && argument.is_input && argument.input_file.starts_with(kOpen)) {
      find_in_open_file(argument);
    } else if (argument.is_array() && argument.is_input) {
      argument.input_fd = open_or_throw(request.path(argument.input_file), O_RDONLY);
    }
  }
}

void open_outputs(Request& request) {
  for (Argument& argument : request.arguments) {
    if (argument.is_array() && argument.is_output) {
      argument.output_fd =
          open_or_throw(request.path(argument.output_file), O_WRONLY | O_CREAT | O_TRUNC);
    }
  }
}

void open_data(OpenedRequest& opened, bool delivered) {
  Request& request = opened.request;
  if (request.timed) return;
  open_inputs(request);
  if (!delivered) open_outputs(request);
  for (Argument& argument : request.arguments) argument.is_delivered = delivered;
  if (request.first.empty()) return;
  const std::string first = request.path(request.first);
  opened.first = read_request(first);
  unlink(first.c_str());
  open_inputs(*opened.first);
}

}  // namespace

OpenedRequest open_request(const std::string& file, bool delivered) {
  OpenedRequest opened;
  opened.request = read_request(file);
  opened.record = std::make_unique<RecordWriter>(opened.request.path(opened.request.record));
  opened.record->line("started");
  unlink(file.c_str());
  try {
    open_data(opened, delivered);
  } catch (const std::exception& error) {
    opened.problem = error.what();
  }
  return opened;
}

}  // namespace warpgrade::worker
