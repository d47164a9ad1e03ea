#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/cudart/announced_call.h"
#include "emulator/cudart/byte_search.h"
#include "emulator/cudart/call_site.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"
#include "emulator/record/call.h"

namespace warpsim::cudart {

/// A row of bytes in a copy.
struct CopiedRow {
  std::uint64_t to = 0, from = 0, bytes = 0;
};

/// Tracks data from the inputs of an announced call to its outputs: the last writer of each byte of
/// memory, and what that kernel or copy had read. The program's host memory is tracked where copies
/// use it; changes by host code in between are invisible.
class DataFlow {
 public:
  explicit DataFlow(const GlobalMemory& memory) : memory_(memory) {}

  /// The call comes next.
  void begin(std::span<const AnnouncedArray> arrays);
  /// The call has returned: tracking ends, and the report is complete.
  void end();
  [[nodiscard]] bool running() const { return running_; }
  /// The report on a finished call.
  [[nodiscard]] const std::optional<CallReport>& report() const { return report_; }
  /// Whether data written by a launch reached an output, or the host.
  [[nodiscard]] bool reaches(std::uint64_t launch) const;

  struct Launch {
    std::uint64_t number = 0;
    const std::string& kernel;
    std::string_view api;
    Frames frames;
    const TouchedMemory& touched;
    bool may_touch_more = false;  // through textures, surfaces or bulk copies
  };
  void launched(const Launch& launch);
  struct Copy {
    std::string_view api;
    Frames frames;
    bool from_host = false, to_host = false;  // that side is memory accessible to host code
    const std::vector<CopiedRow>& rows;
  };
  /// Call when the bytes are in place.
  void copied(const Copy& copy);
  void filled(std::string_view api, const Frames& frames, const std::vector<CopiedRow>& rows);

 private:
  using NodeNumber = std::uint32_t;
  /// A writer of memory.
  struct Node {
    WriterKind kind = WriterKind::nobody;
    std::string name;  // of a kernel
    std::size_t array = 0;  // input_copy: index of the announced array
    std::uint64_t launch = 0;
    std::string_view api;
    Frames frames;
    std::set<NodeNumber> reads;
    bool reaches = false;
    std::uint64_t bytes = 0;  // host_copy: of all rows
    bool unexplained = false;  // host_copy: larger than the data that the host had from kernels
  };
  struct Piece {
    std::uint64_t end = 0;
    NodeNumber writer = 0;
  };
  struct SeenInput {
    std::size_t array = 0;
    std::string_view api;
    Frames frames;
    std::uint64_t bytes = 0;
    std::uint64_t after_launches = 0;
  };

  NodeNumber add(Node node);
  void assign(std::uint64_t begin, std::uint64_t end, NodeNumber writer);
  void clear(std::uint64_t begin, std::uint64_t end);
  /// Calls `use` with begin, end and writer of each piece of the range; kNobody for pieces without
  /// a writer.
  template <class Use>
  void for_pieces(std::uint64_t begin, std::uint64_t end, Use use) const;
  /// The announced input with these bytes, if any.
  [[nodiscard]] std::optional<std::size_t> input_with(std::span<const std::byte> there);
  [[nodiscard]] ByteSearch& content_of_input(std::size_t array);
  NodeNumber host_node(const Copy& copy, std::uint64_t bytes);
  [[nodiscard]] bool is_own(NodeNumber writer, std::uint64_t address) const;
  void read_from_host_memory(NodeNumber kernel, std::uint64_t begin, std::uint64_t end);
  void give_up();

  void mark_reaching();
  [[nodiscard]] OutputOrigin origin_of(const AnnouncedArray& array);
  void follow_back(NodeNumber writer, OutputWriter& result) const;
  [[nodiscard]] std::vector<std::byte> content(std::uint64_t begin, std::uint64_t bytes) const;

  const GlobalMemory& memory_;
  bool running_ = false;
  bool gave_up_ = false;
  std::vector<AnnouncedArray> arrays_;
  std::vector<Node> nodes_;
  std::map<std::uint64_t, Piece> pieces_;  // by begin; they do not overlap
  std::size_t edges_ = 0;
  std::uint64_t from_kernels_ = 0;  // bytes written by kernels that the host has or can read
  std::map<std::uint64_t, NodeNumber> launches_;
  std::vector<SeenInput> seen_inputs_;
  std::map<std::size_t, ByteSearch> inputs_;  // content, by array
  std::optional<CallReport> report_;
};

}  // namespace warpsim::cudart
