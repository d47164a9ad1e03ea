#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::worker {

/// Appends lines to the record, each with one write(2), so that they survive a crash.
class RecordWriter {
 public:
  /// Creates the file, which must not exist.
  /// @throws std::system_error
  explicit RecordWriter(const std::string& file);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  /// "key text\n"; false if it could not be written completely.
  bool line(std::string_view key, std::string_view text = {});
  bool line(std::string_view key, std::uint64_t value) { return line(key, std::to_string(value)); }

  /// Reports that the harness cannot continue. An internal error only with the run's nonce, and
  /// before any of the submission's code (docs/worker-protocol.md).
  void fault(std::string_view nonce, std::string_view text);

  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace warpgrade::worker
