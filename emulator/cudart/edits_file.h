#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

// Edits of kernels to try on a recorded call (edit_trials.h), and what came out. A file of
// WARPSIM_REPLAY with them begins with the line "edits"; the edits follow, one per line, and none
// stands for all that are possible. The device process writes the results into a folder of its own;
// the program never sees it.

namespace warpsim::cudart {

/// One edit that was tried.
struct TriedEdit {
  static constexpr std::int32_t kNoOutput = -1;

  std::string text = {};  // as after `edit=` of `warpsim --change`
  std::string file = {};  // of the source, its last part
  std::uint32_t line = 0;
  std::string kind = {};  // "comparison": changes/code_edit.h
  std::string opcode = {}, part = {}, from = {}, to = {};
  std::int32_t output = kNoOutput;  // a number of EditResults::outputs
};

struct EditResults {
  std::string problem;  // half a sentence: why nothing was tried; otherwise empty
  std::vector<std::string> names;  // of the call's outputs
  /// Different results, each with the bytes of every output; the first is that of the code as it
  /// is.
  std::vector<std::vector<std::vector<std::byte>>> outputs;
  std::vector<TriedEdit> edits;
};

namespace edits_file {

constexpr std::uint64_t kMagic = 0x3173746964657777;  // "wwedits1"
constexpr std::uint32_t kMostOutputs = 64;
constexpr std::uint32_t kMostEdits = 1024;
constexpr std::uint32_t kLongestText = 1024;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // of all outputs together

/// Of a file with edits; those with inputs begin with a name that is filled up with zeros.
constexpr std::string_view kFirstLine = "edits";
/// In place of edits: the numbers of changed copies of kernels, after a space each; the following
/// lines are their module (machine/kernel_copies.h).
constexpr std::string_view kCopies = "copies";

/// Where the results of a file of edits are.
[[nodiscard]] inline std::string results_of(const std::string& file) {
  return file + ".results";
}

struct Header {
  std::uint64_t magic = kMagic;
  std::uint32_t names = 0, outputs = 0, edits = 0;
  std::uint32_t padding = 0;
};

class Writer {
 public:
  explicit Writer(const std::filesystem::path& file)
      : out_(file, std::ios::binary | std::ios::trunc) {}

  void put(const void* bytes, std::size_t count) {
    out_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  }
  template <class Number>
  void number(Number value) {
    put(&value, sizeof value);
  }
  void text(const std::string& value) {
    const std::string shown = value.substr(0, kLongestText);
    number(static_cast<std::uint32_t>(shown.size()));
    put(shown.data(), shown.size());
  }
  [[nodiscard]] bool close() {
    out_.close();
    return static_cast<bool>(out_);
  }

 private:
  std::ofstream out_;
};

/// Reads what may be damaged: after the first mistake everything is empty.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : in_(file, std::ios::binary) {
    std::error_code error;
    left_ = std::filesystem::file_size(file, error);
    ok_ = !error && in_.is_open();
  }

  bool take(void* bytes, std::uint64_t count) {
    ok_ = ok_ && count <= left_ &&
          in_.read(static_cast<char*>(bytes), static_cast<std::streamsize>(count));
    if (ok_) left_ -= count;
    return ok_;
  }
  template <class Number>
  Number number() {
    Number value = 0;
    return take(&value, sizeof value) ? value : Number{0};
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    ok_ = ok_ && size <= kLongestText && size <= left_;
    std::string value(ok_ ? size : 0, '\0');
    take(value.data(), value.size());
    return value;
  }
  std::vector<std::byte> bytes() {
    const auto size = number<std::uint64_t>();
    ok_ = ok_ && size <= kMostBytes && size <= left_;
    std::vector<std::byte> value(ok_ ? size : 0);
    take(value.data(), value.size());
    return value;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && left_ == 0; }

 private:
  std::ifstream in_;
  std::uint64_t left_ = 0;
  bool ok_ = false;
};

}  // namespace edits_file

/// @returns false when it cannot be written
inline bool write_edit_results(const std::filesystem::path& file, const EditResults& results) {
  edits_file::Writer out(file);
  const edits_file::Header header = {.names = static_cast<std::uint32_t>(results.names.size()),
                                     .outputs = static_cast<std::uint32_t>(results.outputs.size()),
                                     .edits = static_cast<std::uint32_t>(results.edits.size())};
  out.put(&header, sizeof header);
  out.text(results.problem);
  for (const std::string& name : results.names) out.text(name);
  for (const auto& output : results.outputs) {
    for (const std::vector<std::byte>& bytes : output) {
      out.number(static_cast<std::uint64_t>(bytes.size()));
      out.put(bytes.data(), bytes.size());
    }
  }
  for (const TriedEdit& edit : results.edits) {
    for (const std::string* text :
         {&edit.text, &edit.file, &edit.kind, &edit.opcode, &edit.part, &edit.from, &edit.to}) {
      out.text(*text);
    }
    out.number(edit.line);
    out.number(edit.output);
  }
  return out.close();
}

/// @returns nothing when the file is missing or not as write_edit_results() makes it
inline std::optional<EditResults> read_edit_results(const std::filesystem::path& file) {
  edits_file::Reader in(file);
  edits_file::Header header;
  if (!in.take(&header, sizeof header) || header.magic != edits_file::kMagic ||
      header.names > edits_file::kMostOutputs || header.edits > edits_file::kMostEdits ||
      header.outputs > header.edits + 1) {
    return std::nullopt;
  }
  EditResults results;
  results.problem = in.text();
  for (std::uint32_t i = 0; i < header.names; ++i) results.names.push_back(in.text());
  for (std::uint32_t i = 0; i < header.outputs && in.ok(); ++i) {
    auto& output = results.outputs.emplace_back();
    for (std::uint32_t k = 0; k < header.names; ++k) output.push_back(in.bytes());
  }
  for (std::uint32_t i = 0; i < header.edits && in.ok(); ++i) {
    TriedEdit& edit = results.edits.emplace_back();
    for (std::string* text :
         {&edit.text, &edit.file, &edit.kind, &edit.opcode, &edit.part, &edit.from, &edit.to}) {
      *text = in.text();
    }
    edit.line = in.number<std::uint32_t>();
    edit.output = in.number<std::int32_t>();
    const auto count = static_cast<std::int64_t>(header.outputs);
    if (edit.output < TriedEdit::kNoOutput || edit.output >= count) return std::nullopt;
  }
  return in.at_end() ? std::optional(std::move(results)) : std::nullopt;
}

}  // namespace warpsim::cudart
