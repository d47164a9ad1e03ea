#include "harness/worker/record_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace warpgrade::worker {

RecordWriter::RecordWriter(const std::string& file)
    : fd_(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make " + file);
}

RecordWriter::~RecordWriter() {
  close(fd_);
}

bool RecordWriter::line(std::string_view key, std::string_view text) {
  std::string line(key);
  if (!text.empty()) line.append(" ").append(text);
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  line.push_back('\n');
  return write(fd_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

void RecordWriter::fault(std::string_view nonce, std::string_view text) {
  line("fault", std::string(nonce).append(" ").append(text));
}

}  // namespace warpgrade::worker
