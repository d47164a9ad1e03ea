#include "emulator/cudart/call_record.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "emulator/cudart/host_program.h"

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kWord = 4;
/// A record that grows beyond these is dropped, so that recording takes bounded memory and time.
constexpr std::uint64_t kMostKept = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostCompared = std::uint64_t{16} << 30;
constexpr std::size_t kMostSteps = 1'000'000;
constexpr std::uint64_t kManyRows = 4096;

/// Memory whose content is not that of a fresh allocation when the call first uses it.
bool has_content(GlobalMemory::Kind kind) {
  return kind == GlobalMemory::Kind::symbol || kind == GlobalMemory::Kind::constant;
}

bool is_shared(GlobalMemory::Kind kind) {
  return kind == GlobalMemory::Kind::pinned || kind == GlobalMemory::Kind::managed ||
         kind == GlobalMemory::Kind::registered;
}

/// Completes the marks of bytes that are still what the device had put there. All bytes of a word
/// were written together. And a host that fills a range with a value writes also where that value
/// was before: words that equal a written neighbour count as written, too.
/// @param address  of the first byte
void settle_words(std::uint64_t address, std::span<const std::byte> bytes,
                  std::span<std::uint8_t> unchanged) {
  struct Word {
    std::size_t begin = 0, end = 0;
  };
  const auto word_at = [&](std::size_t i) {
    const std::size_t before = (address + i) % kWord;
    return Word{i >= before ? i - before : 0, std::min(bytes.size(), i + kWord - before)};
  };
  const auto equal = [&](const Word& a, const Word& b) {
    return a.end - a.begin == kWord && b.end - b.begin == kWord &&
           std::memcmp(bytes.data() + a.begin, bytes.data() + b.begin, kWord) == 0;
  };
  const auto set_written = [&](const Word& word) {
    std::memset(unchanged.data() + word.begin, 0, word.end - word.begin);
  };
  std::optional<Word> before;
  for (std::size_t i = 0; i < bytes.size();) {
    const Word word = word_at(i);
    const bool partly = std::memchr(unchanged.data() + word.begin, 0, word.end - word.begin);
    const bool goes_on = before && unchanged[before->begin] == 0 && equal(*before, word);
    if (partly || goes_on) set_written(word);
    before = word;
    i = word.end;
  }
  std::optional<Word> after;
  for (std::size_t i = bytes.size(); i > 0;) {
    const Word word = word_at(i - 1);
    if (after && unchanged[after->begin] == 0 && equal(*after, word)) set_written(word);
    after = word;
    i = word.begin;
  }
}

std::uint64_t count_zeros(std::span<const std::uint8_t> marks) {
  return static_cast<std::uint64_t>(std::ranges::count(marks, std::uint8_t{0}));
}

std::span<std::byte> bytes_of(const GlobalMemory::Allocation& allocation, std::uint64_t address,
                              std::uint64_t bytes) {
  return {allocation.host + (address - allocation.base), bytes};
}

}  // namespace

CallRecord::CallRecord(const GlobalMemory& memory, ImageTable& images, const AnnouncedCall& call)
    : memory_(memory), images_(images), call_(call), by_host_(call.arrays().size()) {
  for (const GlobalMemory::Allocation* allocation : memory_.live()) {
    appear(*allocation);
    if (!problem_.empty()) return;
    if (allocation->on_host()) continue;
    keep_bytes(allocation->size);
    if (!problem_.empty()) return;
    auto& appeared = std::get<MemoryAppears>(steps_.back());
    appeared.content.assign(allocation->host, allocation->host + allocation->size);
  }
  for (const AnnouncedArray& array : call_.arrays()) {
    if (array.on_host || !array.is_input) continue;
    const GlobalMemory::Allocation* at = memory_.find(array.address);
    if (at == nullptr || array.bytes > at->size - (array.address - at->base)) continue;
    given_.write(array.address, bytes_of(*at, array.address, array.bytes));
  }
  for (const AnnouncedArray& array : call_.arrays()) {
    if (!array.on_host || !array.is_output) continue;
    keep_bytes(2 * array.bytes);
    if (!problem_.empty()) return;
    filled_.push_back({.address = array.address,
                       .bytes = std::vector<std::byte>(array.bytes),
                       .known = std::vector<std::uint8_t>(array.bytes)});
  }
}

void CallRecord::keep_host_arrays() {
  for (const AnnouncedArray& array : call_.arrays()) {
    if (!array.on_host || array.bytes == 0 || memory_.find(array.address) != nullptr) continue;
    keep_bytes(2 * array.bytes);
    if (!problem_.empty()) return;
    std::vector<std::byte> bytes(array.bytes);
    HostProgram::get().read(bytes.data(), array.address, array.bytes);
    host_arrays_.write(array.address, bytes);
  }
}

std::vector<const RecordedStep*> CallRecord::list() const {
  std::vector<const RecordedStep*> all;
  all.reserve(steps_.size());
  for (const RecordedStep& step : steps_) all.push_back(&step);
  return all;
}

void CallRecord::give_up(std::string why) {
  if (!problem_.empty()) return;
  problem_ = std::move(why);
  steps_.clear();
}

void CallRecord::keep_bytes(std::uint64_t bytes) {
  kept_bytes_ += bytes;
  if (kept_bytes_ > kMostKept) give_up("its data are too large to be kept");
}

void CallRecord::appear(const GlobalMemory::Allocation& allocation) {
  Known known = {.id = allocation.id, .base = allocation.base, .kind = allocation.kind, .last = {}};
  MemoryAppears step = {.base = allocation.base,
                        .size = allocation.size,
                        .kind = allocation.kind,
                        .device = allocation.device,
                        .content = {}};
  if (allocation.on_host()) {
    keep_bytes(allocation.size);
    if (!problem_.empty()) return;
    known.last.resize(allocation.size);
  } else if (has_content(allocation.kind)) {
    keep_bytes(allocation.size);
    if (!problem_.empty()) return;
    step.content.assign(allocation.host, allocation.host + allocation.size);
  }
  steps_.emplace_back(std::move(step));
  known_[allocation.base] = std::move(known);
}

void CallRecord::disappear(const Known& known) {
  if (known.kind == GlobalMemory::Kind::registered) on_host_.write(known.base, known.last);
  steps_.emplace_back(MemoryGoes{known.base});
}

void CallRecord::notice_memory() {
  const std::vector<GlobalMemory::Allocation*> live = memory_.live();
  for (auto it = known_.begin(); it != known_.end();) {
    const auto found =
        std::ranges::lower_bound(live, it->first, {}, &GlobalMemory::Allocation::base);
    const bool stays =
        found != live.end() && (*found)->base == it->first && (*found)->id == it->second.id;
    if (!stays) disappear(it->second);
    it = stays ? std::next(it) : known_.erase(it);
  }
  for (const GlobalMemory::Allocation* allocation : live) {
    if (!problem_.empty()) return;
    if (!known_.contains(allocation->base)) appear(*allocation);
  }
}

void CallRecord::begin_step() {
  if (steps_.size() > kMostSteps) give_up("it does too much work");
  if (problem_.empty()) notice_memory();
}

void CallRecord::notice_host_writes(Known& known, std::uint64_t begin, std::uint64_t end) {
  const GlobalMemory::Allocation* allocation = memory_.find(known.base);
  if (allocation == nullptr) return;
  begin = std::max(begin, known.base) - known.base;
  end = std::min(end - known.base, allocation->size);
  if (begin >= end) return;
  compared_bytes_ += end - begin;
  if (compared_bytes_ > kMostCompared) return give_up("it shares too much memory with the host");
  const std::byte* now = allocation->host;
  if (std::memcmp(now + begin, known.last.data() + begin, end - begin) == 0) return;
  // Host code may go on writing: what is kept is what is compared.
  HostWrote step;
  step.what.bytes.assign(now + begin, now + end);
  step.what.from_device.resize(end - begin);
  for (std::uint64_t i = 0; i < end - begin; ++i) {
    step.what.from_device[i] = step.what.bytes[i] == known.last[begin + i] ? 1 : 0;
  }
  step.address = known.base + begin;
  settle_words(step.address, step.what.bytes, step.what.from_device);
  step.what.after_results = results_seen_;
  std::ranges::copy(step.what.bytes, known.last.begin() + static_cast<std::ptrdiff_t>(begin));
  host_bytes_ += count_zeros(step.what.from_device);
  keep_bytes(2 * (end - begin));
  if (problem_.empty()) steps_.emplace_back(std::move(step));
}

void CallRecord::host_may_have_acted() {
  host_reads_ = host_reads_pending_;
  output_reads_ = output_reads_pending_;
}

/// Host code can see bytes that the device has put into its memory. Those of an output are the
/// result; that they were something else is known once others take their place.
/// @param before  what was there; empty: all of them are news
void CallRecord::host_sees(std::uint64_t address, std::span<const std::byte> now,
                           std::span<const std::byte> before) {
  const auto is_news = [&](std::size_t i) { return before.empty() || now[i] != before[i]; };
  std::uint64_t news = now.size();
  for (std::size_t i = 0; i < before.size(); ++i) news -= is_news(i) ? 0 : 1;
  std::uint64_t in_outputs = 0;
  for (Filled& output : filled_) {
    const std::uint64_t begin = std::max(address, output.address);
    const std::uint64_t end = std::min(address + now.size(), output.address + output.bytes.size());
    for (std::uint64_t at = begin; at < end; ++at) {
      if (!is_news(at - address)) continue;
      ++in_outputs;
      const std::uint64_t i = at - output.address;
      if (output.known[i] != 0 && output.bytes[i] != now[at - address]) {
        // Work that follows could use it, and this work follows.
        ++host_reads_pending_;
        ++host_reads_;
      }
      output.bytes[i] = now[at - address];
      output.known[i] = 1;
    }
  }
  in_outputs = std::min(in_outputs, news);
  output_reads_pending_ += in_outputs;
  host_learns(news - in_outputs);
}

void CallRecord::launches(const LaunchRequest& request, std::span<const std::uint32_t> sizes,
                          const AskedBy& by) {
  if (!problem_.empty()) return;
  begin_step();
  for (auto& [base, known] : known_) {
    if (problem_.empty() && is_shared(known.kind))
      notice_host_writes(known, base, ~std::uint64_t{0});
  }
  if (!problem_.empty()) return;
  host_may_have_acted();
  LaunchStep step = {.request = request,
                     .arguments = {},
                     .images = nullptr,
                     .after_results = results_seen_,
                     .by = by};
  step.request.arguments = nullptr;
  step.request.on_stall = nullptr;
  step.request.blocks_begun = nullptr;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto* bytes = static_cast<const std::byte*>(request.arguments[i]);
    step.arguments.emplace_back(bytes, bytes + sizes[i]);
  }
  if (images_.any_live()) {
    LiveImages live = images_.live();
    const auto handle = [](const auto& entry) { return entry.first; };
    const bool same =
        last_images_ != nullptr && std::ranges::equal(live, *last_images_, {}, handle, handle);
    if (!same) last_images_ = std::make_shared<const LiveImages>(std::move(live));
    step.images = last_images_;
  }
  steps_.emplace_back(std::move(step));
}

void CallRecord::launched(const LaunchResult& result) {
  if (!problem_.empty()) return;
  host_learns(result.printed.size());
  for (auto& [base, known] : known_) {
    const GlobalMemory::Allocation* allocation =
        is_shared(known.kind) ? memory_.find(base) : nullptr;
    if (allocation == nullptr) continue;
    compared_bytes_ += allocation->size;
    if (std::memcmp(allocation->host, known.last.data(), allocation->size) == 0) continue;
    const std::span<const std::byte> now(allocation->host, allocation->size);
    host_sees(base, now, known.last);
    std::ranges::copy(now, known.last.begin());
    results_seen_ = true;
  }
}

CallRecord::Known* CallRecord::shared_at(const PointerView& pointer) {
  if (pointer.allocation == nullptr || !pointer.allocation->on_host()) return nullptr;
  const auto found = known_.find(pointer.allocation->base);
  return found == known_.end() ? nullptr : &found->second;
}

void CallRecord::copies(const Copy& copy) {
  if (!problem_.empty()) return;
  begin_step();
  Known* const shared = shared_at(copy.source);
  if (!problem_.empty() || shared == nullptr) return;
  const Side& from = copy.from;
  const std::uint64_t last = from.offset(copy.box.depth - 1, copy.box.height - 1);
  notice_host_writes(*shared, from.address, from.address + last + copy.box.width);
}

void CallRecord::note_results(std::uint64_t address, std::span<const std::byte> bytes) {
  if (results_seen_) return;
  std::vector<std::byte> given(bytes.size());
  std::vector<std::uint8_t> known(bytes.size());
  given_.read(address, given, known);
  results_seen_ =
      std::ranges::find(known, std::uint8_t{0}) != known.end() || !std::ranges::equal(bytes, given);
}

void CallRecord::copied(const Copy& copy) {
  if (!problem_.empty()) return;
  const std::uint64_t width = copy.box.width;
  const std::uint64_t total = width * copy.box.height * copy.box.depth;
  CopyStep step = {.to = copy.to,
                   .from = copy.from,
                   .box = copy.box,
                   .to_program = copy.destination.allocation == nullptr,
                   .from_program = copy.source.allocation == nullptr,
                   .rows = {},
                   .by = copy.by};
  const bool brings_back = copy.destination.on_host() && !copy.source.on_host();
  if (!brings_back) host_may_have_acted();
  if (step.from_program && !step.to_program) {
    keep_bytes(2 * total);
    if (!problem_.empty()) return;
    step.rows.bytes.resize(total);
    step.rows.from_device.resize(total);
    step.rows.after_results = results_seen_;
  }
  Known* const target = shared_at(copy.destination);
  if (!step.to_program && !step.from_program && target == nullptr &&
      copy.box.height * copy.box.depth > kManyRows) {
    // Of so many, what the host has given is not worth knowing: it only matters once it comes back.
    const std::uint64_t last = copy.to.offset(copy.box.depth - 1, copy.box.height - 1);
    given_.forget(copy.to.address, last + width);
    steps_.emplace_back(std::move(step));
    return;
  }
  std::uint64_t done = 0;
  std::vector<std::byte> row(width);
  std::vector<std::uint8_t> known(width);
  for_each_row(copy.to, copy.from, copy.box, [&](std::uint64_t to_offset, std::uint64_t offset) {
    const std::uint64_t to = copy.to.address + to_offset;
    const std::uint64_t from = copy.from.address + offset;
    if (step.to_program && step.from_program) {
      on_host_.read(from, row, known);
      on_host_.forget(to, width);
      for (std::uint64_t i = 0; i < width; ++i) {
        if (known[i] != 0) on_host_.write(to + i, std::span(row).subspan(i, 1));
      }
      return;
    }
    if (step.to_program) {
      const auto there = bytes_of(*copy.source.allocation, from, width);
      if (brings_back) host_sees(to, there, {});
      on_host_.write(to, there);
      note_results(from, there);
      return;
    }
    const auto here = bytes_of(*copy.destination.allocation, to, width);
    if (brings_back) host_sees(to, here, {});
    if (target != nullptr) {
      std::ranges::copy(here,
                        target->last.begin() + static_cast<std::ptrdiff_t>(to - target->base));
    }
    if (step.from_program) {
      const auto kept = std::span(step.rows.bytes).subspan(done, width);
      const auto marks = std::span(step.rows.from_device).subspan(done, width);
      std::ranges::copy(here, kept.begin());
      if (on_host_.knows_any(from, width)) {
        on_host_.read(from, row, known);
        for (std::uint64_t i = 0; i < width; ++i) {
          marks[i] = known[i] != 0 && row[i] == kept[i] ? 1 : 0;
        }
        settle_words(from, kept, marks);
      }
      given_.write(to, here);
      done += width;
      return;
    }
    if (copy.source.on_host()) {
      given_.write(to, here);
    } else if (copy.destination.on_host()) {
      note_results(from, here);
    } else {
      given_.forget(to, width);
      if (!given_.knows_any(from, width)) return;
      given_.read(from, row, known);
      const bool all = std::ranges::find(known, std::uint8_t{0}) == known.end();
      if (all) given_.write(to, row);
    }
  });
  host_bytes_ += count_zeros(step.rows.from_device);
  steps_.emplace_back(std::move(step));
}

void CallRecord::filled(const FillStep& fill) {
  if (!problem_.empty()) return;
  begin_step();
  if (!problem_.empty()) return;
  host_may_have_acted();
  const GlobalMemory::Allocation* allocation = memory_.find(fill.to.address);
  const auto found = allocation == nullptr ? known_.end() : known_.find(allocation->base);
  for_each_row(fill.to, fill.to, fill.box, [&](std::uint64_t offset, std::uint64_t) {
    const std::uint64_t to = fill.to.address + offset;
    if (found == known_.end()) return;
    const auto here = bytes_of(*allocation, to, fill.box.width);
    if (is_shared(found->second.kind)) {
      std::ranges::copy(
          here, found->second.last.begin() + static_cast<std::ptrdiff_t>(to - allocation->base));
    }
    given_.write(to, here);
  });
  steps_.emplace_back(fill);
}

void CallRecord::end() {
  if (!problem_.empty()) return;
  begin_step();
  for (std::size_t i = 0; i < call_.arrays().size(); ++i) {
    const AnnouncedArray& array = call_.arrays()[i];
    if (!array.on_host || !array.is_output || array.bytes == 0) continue;
    keep_bytes(array.bytes);
    if (!problem_.empty()) return;
    if (const GlobalMemory::Allocation* allocation = memory_.find(array.address)) {
      const Known& known = known_.at(allocation->base);
      const std::uint64_t at = array.address - allocation->base;
      const bool fits = array.bytes <= allocation->size - at;
      by_host_[i] =
          !fits || std::memcmp(allocation->host + at, known.last.data() + at, array.bytes) != 0;
      continue;
    }
    std::vector<std::byte> now(array.bytes);
    std::vector<std::byte> put(array.bytes);
    std::vector<std::uint8_t> known(array.bytes);
    HostProgram::get().read(now.data(), array.address, array.bytes);
    host_arrays_.read(array.address, put, known);
    const std::vector<std::uint8_t> kept = known;
    on_host_.read(array.address, put, known);
    bool by_device = true;
    for (std::size_t k = 0; k < now.size(); ++k) {
      by_device = by_device && (known[k] != 0 || kept[k] != 0) && now[k] == put[k];
    }
    by_host_[i] = !by_device;
  }
}

}  // namespace warpsim::cudart
