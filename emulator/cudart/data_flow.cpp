#include "emulator/cudart/data_flow.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "emulator/cudart/host_program.h"

namespace warpsim::cudart {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// Far above any lab; beyond it, data flow is not reported.
constexpr std::size_t kMostFlowPieces = std::size_t{1} << 18;
constexpr std::size_t kMostNodes = std::size_t{1} << 17;
constexpr std::size_t kMostEdges = std::size_t{1} << 20;
constexpr std::uint64_t kMostContent = std::uint64_t{256} << 20;  // bytes of an array

constexpr std::size_t kMostWriters = 8;  // of an output, in the report
constexpr std::size_t kMostCopies = 16;

/// Detects whether elements, given in parts, differ.
class Variety {
 public:
  void add(std::span<const std::byte> element) {
    if (first_.empty()) {
      first_ = element;
    } else {
      varied_ = varied_ || !std::ranges::equal(first_, element);
    }
  }
  [[nodiscard]] bool varied() const { return varied_; }

 private:
  std::span<const std::byte> first_;
  bool varied_ = false;
};

/// Whether all elements are equal, whatever their type.
bool is_constant(std::span<const std::byte> bytes) {
  constexpr std::size_t kLargest = 8;
  return bytes.size() <= kLargest ||
         std::ranges::equal(bytes.first(bytes.size() - kLargest), bytes.subspan(kLargest));
}

}  // namespace

DataFlow::NodeNumber DataFlow::add(Node node) {
  if (nodes_.size() >= kMostNodes || edges_ >= kMostEdges) give_up();
  nodes_.push_back(std::move(node));
  return static_cast<NodeNumber>(nodes_.size() - 1);
}

void DataFlow::give_up() {
  gave_up_ = true;
  nodes_.clear();
  pieces_.clear();
  launches_.clear();
  seen_inputs_.clear();
  inputs_.clear();
}

void DataFlow::clear(std::uint64_t begin, std::uint64_t end) {
  auto it = pieces_.lower_bound(begin);
  if (it != pieces_.begin()) {
    const auto before = std::prev(it);
    if (before->second.end > begin) {
      const Piece old = before->second;
      before->second.end = begin;
      if (old.end > end) pieces_[end] = old;
      if (old.end >= end) return;
    }
  }
  while (it != pieces_.end() && it->first < end) {
    if (it->second.end > end) {
      pieces_[end] = it->second;
      pieces_.erase(it);
      return;
    }
    it = pieces_.erase(it);
  }
}

void DataFlow::assign(std::uint64_t begin, std::uint64_t end, NodeNumber writer) {
  if (begin >= end) return;
  clear(begin, end);
  if (writer == kNobody) return;
  const auto after = pieces_.lower_bound(begin);
  if (after != pieces_.begin()) {
    const auto before = std::prev(after);
    if (before->second.end == begin && before->second.writer == writer) {
      before->second.end = end;
      return;
    }
  }
  pieces_.emplace_hint(after, begin, Piece{end, writer});
  if (pieces_.size() > kMostFlowPieces) give_up();
}

template <class Use>
void DataFlow::for_pieces(std::uint64_t begin, std::uint64_t end, Use use) const {
  auto it = pieces_.upper_bound(begin);
  if (it != pieces_.begin()) --it;
  for (; begin < end; ++it) {
    while (it != pieces_.end() && it->second.end <= begin) ++it;
    if (it == pieces_.end() || it->first >= end) return use(begin, end, kNobody);
    if (it->first > begin) use(begin, it->first, kNobody);
    const std::uint64_t from = std::max(begin, it->first);
    begin = std::min(end, it->second.end);
    use(from, begin, it->second.writer);
  }
}

std::vector<std::byte> DataFlow::content(std::uint64_t begin, std::uint64_t bytes) const {
  if (bytes == 0 || bytes > kMostContent) return {};
  std::vector<std::byte> result(bytes);
  if (const GlobalMemory::Allocation* allocation = memory_.find(begin)) {
    if (begin + bytes > allocation->base + allocation->size) return {};
    std::memcpy(result.data(), allocation->host + (begin - allocation->base), bytes);
  } else if (memory_.in_device_range(begin)) {
    return {};
  } else {
    HostProgram::get().read(result.data(), begin, bytes);
  }
  return result;
}

ByteSearch& DataFlow::content_of_input(std::size_t array) {
  const auto [it, fresh] = inputs_.try_emplace(array);
  if (fresh) it->second = ByteSearch(content(arrays_[array].address, arrays_[array].bytes));
  return it->second;
}

std::optional<std::size_t> DataFlow::input_with(std::span<const std::byte> there) {
  for (std::size_t i = 0; i < arrays_.size() && !there.empty(); ++i) {
    if (arrays_[i].is_input && content_of_input(i).contains(there)) return i;
  }
  return std::nullopt;
}

void DataFlow::begin(std::span<const AnnouncedArray> arrays) {
  running_ = true;
  arrays_.assign(arrays.begin(), arrays.end());
  // Inputs are the first nodes, in the order of the arrays.
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const NodeNumber node =
        add({.kind = arrays_[i].is_input ? WriterKind::input_copy : WriterKind::nobody,
             .name = {},
             .array = i,
             .api = {},
             .frames = {},
             .reads = {}});
    if (!arrays_[i].is_input) continue;
    assign(arrays_[i].address, arrays_[i].address + arrays_[i].bytes, node);
  }
}

void DataFlow::read_from_host_memory(NodeNumber kernel, std::uint64_t begin, std::uint64_t end) {
  if (const auto input = input_with(content(begin, end - begin))) {
    nodes_[kernel].reads.insert(static_cast<NodeNumber>(*input));
    return;
  }
  const NodeNumber host = add({.kind = WriterKind::host_copy,
                               .name = {},
                               .launch = 0,
                               .api = nodes_[kernel].api,
                               .frames = nodes_[kernel].frames,
                               .reads = {},
                               .bytes = end - begin,
                               .unexplained = end - begin > from_kernels_});
  if (!gave_up_) nodes_[kernel].reads.insert(host);
}

void DataFlow::launched(const Launch& launch) {
  if (!running_ || gave_up_) return;
  const NodeNumber node = add({.kind = WriterKind::kernel,
                               .name = launch.kernel,
                               .launch = launch.number,
                               .api = launch.api,
                               .frames = launch.frames,
                               .reads = {},
                               .reaches = launch.may_touch_more});
  launches_[launch.number] = node;
  const auto read = [&](std::uint64_t begin, std::uint64_t end) {
    const GlobalMemory::Allocation* allocation = memory_.find(begin);
    const bool host_writes = allocation != nullptr && allocation->on_host();
    std::vector<MemoryRange> unknown;
    for_pieces(begin, end, [&](std::uint64_t from, std::uint64_t to, NodeNumber writer) {
      if (writer != kNobody) {
        nodes_[node].reads.insert(writer);
      } else if (host_writes) {
        unknown.push_back({from, to});
      }
    });
    for (const MemoryRange& range : unknown) {
      if (!gave_up_) read_from_host_memory(node, range.begin, range.end);
    }
  };
  for (const MemoryRange& range : launch.touched.reads) {
    if (!gave_up_) read(range.begin, range.end);
  }
  // Part of the old contents may remain, which then counts as read.
  for (const MemoryRange& range : launch.touched.writes) {
    if (!gave_up_ && launch.touched.joined) read(range.begin, range.end);
  }
  // Loads from constant memory are not recorded.
  for (const GlobalMemory::Allocation* allocation : memory_.live()) {
    if (gave_up_ || allocation->kind != GlobalMemory::Kind::constant) continue;
    read(allocation->base, allocation->base + allocation->size);
  }
  if (gave_up_) return;
  if (launch.may_touch_more) {
    for (const auto& [begin, piece] : pieces_) nodes_[node].reads.insert(piece.writer);
  }
  edges_ += nodes_[node].reads.size();
  for (const MemoryRange& range : launch.touched.writes) {
    if (gave_up_) return;
    assign(range.begin, range.end, node);
    const GlobalMemory::Allocation* allocation = memory_.find(range.begin);
    if (allocation == nullptr || !allocation->on_host() || gave_up_) continue;
    nodes_[node].reaches = true;
    from_kernels_ += range.end - range.begin;
  }
}

DataFlow::NodeNumber DataFlow::host_node(const Copy& copy, std::uint64_t bytes) {
  return add({.kind = WriterKind::host_copy,
              .name = {},
              .api = copy.api,
              .frames = copy.frames,
              .reads = {},
              .bytes = bytes,
              .unexplained = bytes > from_kernels_});
}

/// The address is in the announced array itself, whose bytes are.
bool DataFlow::is_own(NodeNumber writer, std::uint64_t address) const {
  const Node& node = nodes_[writer];
  const AnnouncedArray& array = arrays_[node.array];
  return node.kind == WriterKind::input_copy && address - array.address < array.bytes;
}

void DataFlow::copied(const Copy& copy) {
  if (!running_ || gave_up_) return;
  struct Move {
    std::uint64_t to = 0, bytes = 0;
    std::uint64_t same = 0;  // from either side, preferably one in this process
    NodeNumber writer = kNobody;
    bool of_host = false;
  };
  std::vector<Move> moves;
  std::uint64_t of_host = 0;
  for (const CopiedRow& row : copy.rows) {
    const bool allocated = memory_.find(row.from) != nullptr;
    for_pieces(row.from, row.from + row.bytes,
               [&](std::uint64_t begin, std::uint64_t end, NodeNumber writer) {
                 const std::uint64_t to = row.to + (begin - row.from);
                 Move move{.to = to, .bytes = end - begin, .same = allocated ? begin : to};
                 // Host code may have changed data copied to its memory.
                 const bool kept = writer != kNobody && (allocated || is_own(writer, begin));
                 move.writer = kept ? writer : kNobody;
                 move.of_host = !kept && copy.from_host;
                 moves.push_back(move);
               });
  }
  for (Move& move : moves) {
    const bool computed = move.writer != kNobody && nodes_[move.writer].kind == WriterKind::kernel;
    // A kernel that copies an input gives the host no other data.
    if (move.of_host || (computed && copy.to_host && !copy.from_host)) {
      // Results of equal inputs may be equal to them by chance.
      const std::vector<std::byte> there = content(move.same, move.bytes);
      const bool by_chance = computed && is_constant(there);
      const auto input = input_with(by_chance ? std::span<const std::byte>() : there);
      if (move.of_host && input) move.writer = static_cast<NodeNumber>(*input);
      move.of_host = move.of_host && !input;
      if (computed) nodes_[move.writer].reaches = true;
      if (computed && !input) from_kernels_ += move.bytes;
      if (computed && input) move.writer = static_cast<NodeNumber>(*input);
    }
    of_host += move.of_host ? move.bytes : 0;
  }
  const NodeNumber host = of_host == 0 ? kNobody : host_node(copy, of_host);
  for (const Move& move : moves) {
    if (gave_up_) return;
    const bool seen = copy.to_host && !copy.from_host && move.writer != kNobody &&
                      nodes_[move.writer].kind == WriterKind::input_copy;
    if (seen) {
      seen_inputs_.push_back({.array = nodes_[move.writer].array,
                              .api = copy.api,
                              .frames = copy.frames,
                              .bytes = move.bytes,
                              .after_launches = launches_.empty() ? 0 : launches_.rbegin()->first});
      if (seen_inputs_.size() > kMostNodes) give_up();
      if (gave_up_) return;
    }
    assign(move.to, move.to + move.bytes, move.of_host ? host : move.writer);
  }
}

void DataFlow::filled(std::string_view api, const Frames& frames,
                      const std::vector<CopiedRow>& rows) {
  if (!running_ || gave_up_) return;
  const NodeNumber node =
      add({.kind = WriterKind::fill, .name = {}, .api = api, .frames = frames, .reads = {}});
  for (const CopiedRow& row : rows) {
    if (!gave_up_) assign(row.to, row.to + row.bytes, node);
  }
}

void DataFlow::mark_reaching() {
  std::vector<NodeNumber> open;
  for (const AnnouncedArray& array : arrays_) {
    if (!array.is_output) continue;
    for_pieces(array.address, array.address + array.bytes,
               [&](std::uint64_t, std::uint64_t, NodeNumber writer) {
                 if (writer != kNobody) nodes_[writer].reaches = true;
               });
  }
  for (NodeNumber i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].reaches) open.push_back(i);
  }
  while (!open.empty()) {
    const NodeNumber node = open.back();
    open.pop_back();
    for (const NodeNumber from : nodes_[node].reads) {
      if (!std::exchange(nodes_[from].reaches, true)) open.push_back(from);
    }
  }
}

bool DataFlow::reaches(std::uint64_t launch) const {
  if (gave_up_) return true;
  const auto it = launches_.find(launch);
  return it != launches_.end() && nodes_[it->second].reaches;
}

/// Adds everything that a writer can depend on.
void DataFlow::follow_back(NodeNumber writer, OutputWriter& result) const {
  std::set<NodeNumber> seen = {writer};
  std::vector<NodeNumber> open = {writer};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (node.kind == WriterKind::input_copy) {
      const std::string& name = arrays_[node.array].name;
      if (std::ranges::find(result.inputs, name) == result.inputs.end()) {
        result.inputs.push_back(name);
      }
    }
    if (node.kind == WriterKind::host_copy) {
      result.host_bytes += node.bytes;
      result.unexplained_bytes += node.unexplained ? node.bytes : 0;
    }
    for (const NodeNumber from : node.reads) {
      if (seen.insert(from).second) open.push_back(from);
    }
  }
}

namespace {

SourceLine line_of(std::string_view api, const Frames& frames) {
  if (api.empty()) return {};
  const CallSite site = resolve(api, frames);
  return {.file = site.file, .line = site.line};
}

}  // namespace

OutputOrigin DataFlow::origin_of(const AnnouncedArray& array) {
  const std::vector<std::byte> all = content(array.address, array.bytes);
  struct Share {
    std::uint64_t bytes = 0;
    NodeNumber last = kNobody;
    Variety variety;
  };
  using Key = std::tuple<WriterKind, std::string, std::string_view, const void*, std::size_t>;
  std::map<Key, Share> shares;
  for_pieces(array.address, array.address + array.bytes,
             [&](std::uint64_t begin, std::uint64_t end, NodeNumber writer) {
               const Node node = writer == kNobody ? Node{} : nodes_[writer];
               Share& share =
                   shares[{node.kind, node.name, node.api, node.frames.addresses[0], node.array}];
               share.bytes += end - begin;
               share.last = writer;
               const std::uint64_t size = array.element_bytes;
               for (std::uint64_t at = (begin - array.address + size - 1) / size * size;
                    at + size <= end - array.address && at + size <= all.size(); at += size) {
                 share.variety.add(std::span(all).subspan(at, size));
               }
             });
  OutputOrigin result{.name = array.name, .bytes = array.bytes, .writers = {}};
  for (const auto& [key, share] : shares) {
    OutputWriter writer;
    writer.bytes = share.bytes;
    writer.varied = share.variety.varied();
    if (share.last != kNobody) {
      const Node& node = nodes_[share.last];
      writer.kind = node.kind;
      writer.launch = node.launch;
      writer.name = node.kind == WriterKind::kernel       ? node.name
                    : node.kind == WriterKind::input_copy ? arrays_[node.array].name
                                                          : std::string(node.api);
      writer.from = line_of(node.api, node.frames);
      follow_back(share.last, writer);
    }
    result.writers.push_back(std::move(writer));
  }
  std::ranges::stable_sort(result.writers, std::ranges::greater{}, &OutputWriter::bytes);
  if (result.writers.size() > kMostWriters) {
    result.more_writers = result.writers.size() - kMostWriters;
    result.writers.resize(kMostWriters);
  }
  return result;
}

void DataFlow::end() {
  running_ = false;
  CallReport& report = report_.emplace();
  report.followed = !gave_up_;
  if (gave_up_) return;
  mark_reaching();
  std::uint64_t last_launch = 0;
  for (const AnnouncedArray& array : arrays_) {
    if (!array.is_output) continue;
    report.outputs.push_back(origin_of(array));
    for (const OutputWriter& writer : report.outputs.back().writers) {
      last_launch = std::max(last_launch, writer.launch);
    }
  }
  std::map<std::pair<std::size_t, const void*>, std::size_t> known;
  for (const SeenInput& seen : seen_inputs_) {
    if (last_launch != 0 && seen.after_launches >= last_launch) continue;
    const auto [it, fresh] =
        known.try_emplace({seen.array, seen.frames.addresses[0]}, report.input_copies.size());
    if (fresh && report.input_copies.size() == kMostCopies) {
      known.erase(it);
      continue;
    }
    if (fresh) {
      report.input_copies.push_back({.input = arrays_[seen.array].name,
                                     .api = std::string(seen.api),
                                     .from = line_of(seen.api, seen.frames),
                                     .bytes = 0});
    }
    report.input_copies[it->second].bytes += seen.bytes;
  }
  pieces_.clear();
  inputs_.clear();
}

}  // namespace warpsim::cudart
