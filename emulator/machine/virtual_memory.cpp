#include "emulator/machine/virtual_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace warpsim {
namespace {

constexpr std::uint64_t kLeastArena = std::uint64_t{64} << 30;

/// Addresses after a range that the next one leaves free: a range that grows may ask for them.
std::uint64_t gap_after(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = std::uint64_t{64} << 20;
  constexpr std::uint64_t kMost = std::uint64_t{4} << 30;
  return std::clamp(bytes, kLeast, kMost);
}

std::uint64_t aligned(std::uint64_t address, std::uint64_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

void* map_addresses(void* where, std::uint64_t bytes, int protection, int extra) {
  return ::mmap(where, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra, -1,
                0);
}

/// A file in memory. Its descriptor is none of the program's.
int make_file(const char* name) {
  return ::memfd_create(name, MFD_CLOEXEC);
}

std::uint64_t inode_of(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

/// What is in a file that stands for memory.
struct FileContents {
  std::uint64_t magic = 0x766d6d2d77617270;
  std::int64_t process = ::getpid();
  std::uint64_t handle = 0;
};

}  // namespace

VirtualMemory::~VirtualMemory() {
  if (bytes_ != 0) {
    ::munmap(reinterpret_cast<void*>(kBase), bytes_);
    ::munmap(backing_, bytes_);
    ::munmap(shadow_, bytes_);
  }
  for (const int file : files_) {
    if (file >= 0) ::close(file);
  }
}

bool VirtualMemory::open_arena() {
  if (bytes_ != 0) return true;
  for (std::uint64_t bytes = kLargest; bytes >= kLeastArena; bytes /= 2) {
    // Host code may not use the addresses; that faults, as it would on a card.
    void* const range =
        map_addresses(reinterpret_cast<void*>(kBase), bytes, PROT_NONE, MAP_FIXED_NOREPLACE);
    if (range == MAP_FAILED) continue;
    void* const backing = map_addresses(nullptr, bytes, PROT_READ | PROT_WRITE, 0);
    void* const shadow = map_addresses(nullptr, bytes, PROT_READ | PROT_WRITE, 0);
    if (backing != MAP_FAILED && shadow != MAP_FAILED) {
      backing_ = static_cast<std::byte*>(backing);
      shadow_ = static_cast<std::uint8_t*>(shadow);
      bytes_ = bytes;
      return true;
    }
    if (backing != MAP_FAILED) ::munmap(backing, bytes);
    if (shadow != MAP_FAILED) ::munmap(shadow, bytes);
    ::munmap(range, bytes);
  }
  return false;
}

bool VirtualMemory::open_files() {
  if (files_[0] < 0) files_[0] = make_file("device memory");
  if (files_[1] < 0) files_[1] = make_file("initialized bytes");
  return files_[0] >= 0 && files_[1] >= 0;
}

const VirtualMemory::Range* VirtualMemory::range_at(std::uint64_t address) const {
  const auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return nullptr;
  const Range& range = std::prev(next)->second;
  return address < range.end() ? &range : nullptr;
}

const VirtualMemory::Mapping* VirtualMemory::mapping_at(std::uint64_t address) const {
  const auto next = mappings_.upper_bound(address);
  if (next == mappings_.begin()) return nullptr;
  const Mapping& mapping = std::prev(next)->second;
  return address < mapping.end() ? &mapping : nullptr;
}

bool VirtualMemory::is_free(std::uint64_t begin, std::uint64_t end) const {
  if (begin < kBase || end < begin || end > kBase + bytes_) return false;
  return std::ranges::none_of(ranges_, [&](const auto& entry) {
    const Range& range = entry.second;
    return !range.freed && range.base < end && begin < range.end();
  });
}

std::uint64_t VirtualMemory::find_room(std::uint64_t bytes, std::uint64_t alignment,
                                       std::uint64_t hint) const {
  if (hint != 0 && hint % alignment == 0 && hint <= UINT64_MAX - bytes &&
      is_free(hint, hint + bytes)) {
    return hint;
  }
  // Freed addresses are the last to be used again, so that a stale pointer is recognised.
  const std::uint64_t end = kBase + bytes_;
  std::uint64_t at = aligned(next_, alignment);
  if (at <= end && bytes <= end - at && is_free(at, at + bytes)) return at;
  at = aligned(kBase, alignment);
  for (const auto& [base, range] : ranges_) {
    if (range.freed) continue;
    if (at <= base && bytes <= base - at) return at;
    at = std::max(at, aligned(range.end(), alignment));
  }
  return at <= end && bytes <= end - at ? at : 0;
}

const VirtualMemory::Range* VirtualMemory::reserve(std::uint64_t bytes, std::uint64_t alignment,
                                                   std::uint64_t hint, std::string name) {
  const std::lock_guard lock(mutex_);
  if (!open_arena() || bytes > bytes_) return nullptr;
  const std::uint64_t base = find_room(bytes, std::max(alignment, kGranularity), hint);
  if (base == 0) return nullptr;
  // Freed ranges that were there are forgotten.
  std::erase_if(ranges_, [&](const auto& entry) {
    return entry.second.base < base + bytes && base < entry.second.end();
  });
  next_ = std::max(next_, base + bytes + gap_after(bytes));
  Range& range = ranges_[base];
  range = {.number = next_number_++, .name = std::move(name), .base = base, .bytes = bytes};
  return &range;
}

const VirtualMemory::Range* VirtualMemory::find_range(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const Range* const range = range_at(address);
  return range != nullptr && !range->freed ? range : nullptr;
}

void VirtualMemory::free_range(std::uint64_t base, Place by) {
  const std::lock_guard lock(mutex_);
  Range& range = ranges_.at(base);
  range.freed = true;
  range.freed_by = std::move(by);
  range.unmapped.clear();
}

const VirtualMemory::Physical* VirtualMemory::create(std::uint64_t bytes, int device,
                                                     unsigned handle_types, std::string name) {
  const std::lock_guard lock(mutex_);
  // Memory that only a descriptor held, which the program may have closed.
  for (auto it = physical_.begin(); it != physical_.end();) free_unused(*(it++)->second);
  if (!open_files() || !memory_.charge(device, bytes)) return nullptr;
  const auto size = static_cast<off_t>(file_end_ + bytes);
  void* filled = MAP_FAILED;
  if (::ftruncate(files_[0], size) == 0 && ::ftruncate(files_[1], size) == 0) {
    filled = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, files_[0],
                    static_cast<off_t>(file_end_));
  }
  if (filled == MAP_FAILED) {
    memory_.discharge(device, bytes);
    return nullptr;
  }
  memory_.fill_unwritten(static_cast<std::byte*>(filled), bytes, name);
  ::munmap(filled, bytes);
  auto memory = std::make_unique<Physical>();
  memory->number = next_number_++;
  memory->name = std::move(name);
  memory->bytes = bytes;
  memory->device = device;
  memory->handle_types = handle_types;
  memory->offset = file_end_;
  file_end_ += bytes;
  const Physical* const made = memory.get();
  physical_[made->number] = std::move(memory);
  return made;
}

const VirtualMemory::Physical* VirtualMemory::find(std::uint64_t handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = physical_.find(handle);
  return found != physical_.end() && found->second->handles > 0 ? found->second.get() : nullptr;
}

void VirtualMemory::retain(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  ++at(handle).handles;
}

void VirtualMemory::release(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  Physical& memory = at(handle);
  --memory.handles;
  free_unused(memory);
}

namespace {

/// Whether this process has a descriptor of one of these files.
bool any_open(const std::vector<std::uint64_t>& inodes) {
  if (inodes.empty()) return false;
  const long limit = std::min(::sysconf(_SC_OPEN_MAX), 65536L);
  for (int descriptor = 0; descriptor < limit; ++descriptor) {
    if (std::ranges::find(inodes, inode_of(descriptor)) != inodes.end()) return true;
  }
  return false;
}

}  // namespace

void VirtualMemory::free_unused(Physical& memory) {
  if (memory.handles > 0 || memory.mappings > 0 || any_open(memory.exported)) return;
  for (const int file : files_) {
    (void)::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      static_cast<off_t>(memory.offset), static_cast<off_t>(memory.bytes));
  }
  memory_.discharge(memory.device, memory.bytes);
  physical_.erase(memory.number);
}

int VirtualMemory::export_file(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  const int descriptor = make_file("exported device memory");
  if (descriptor < 0) return -1;
  const FileContents contents = {.handle = handle};
  if (::write(descriptor, &contents, sizeof contents) != sizeof contents) {
    ::close(descriptor);
    return -1;
  }
  at(handle).exported.push_back(inode_of(descriptor));
  return descriptor;
}

const VirtualMemory::Physical* VirtualMemory::imported(int descriptor) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t inode = inode_of(descriptor);
  FileContents contents;
  const FileContents expected;
  if (::pread(descriptor, &contents, sizeof contents, 0) != sizeof contents ||
      contents.magic != expected.magic || contents.process != expected.process) {
    return nullptr;
  }
  const auto found = physical_.find(contents.handle);
  if (found == physical_.end()) return nullptr;
  Physical& memory = *found->second;
  if (std::ranges::find(memory.exported, inode) == memory.exported.end()) return nullptr;
  ++memory.handles;
  return &memory;
}

bool VirtualMemory::map(std::uint64_t address, std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  Physical& memory = at(handle);
  const auto replace = [&](void* where, int file) {
    return ::mmap(where, memory.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                  static_cast<off_t>(memory.offset)) != MAP_FAILED;
  };
  const std::uint64_t at = address - kBase;
  if (!replace(backing_ + at, files_[0]) || !replace(shadow_ + at, files_[1])) return false;
  mappings_[address] = {.number = next_number_++, .base = address, .memory = &memory};
  ++memory.mappings;
  return true;
}

const VirtualMemory::Mapping* VirtualMemory::find_mapping(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  return mapping_at(address);
}

bool VirtualMemory::is_mapped(std::uint64_t begin, std::uint64_t end) const {
  const std::lock_guard lock(mutex_);
  std::uint64_t at = begin;
  for (auto it = mappings_.find(begin); it != mappings_.end() && at < end; ++it) {
    if (it->first != at) return false;
    at = it->second.end();
  }
  return at == end && begin < end;
}

bool VirtualMemory::any_mapped(std::uint64_t begin, std::uint64_t end) const {
  const std::lock_guard lock(mutex_);
  if (mapping_at(begin) != nullptr) return true;
  const auto next = mappings_.lower_bound(begin);
  return next != mappings_.end() && next->first < end;
}

void VirtualMemory::unmap(std::uint64_t begin, std::uint64_t end, const Place& by) {
  const std::lock_guard lock(mutex_);
  for (auto it = mappings_.find(begin); it != mappings_.end() && it->first < end;) {
    const Mapping mapping = it->second;
    it = mappings_.erase(it);
    auto range = std::prev(ranges_.upper_bound(mapping.base));
    range->second.unmapped[mapping.base] = {.end = mapping.end(), .by = by};
    --mapping.memory->mappings;
    free_unused(*mapping.memory);
  }
  refresh(begin, end);
  // A kernel that waits may use it still: such an access must not end the emulator.
  const std::uint64_t at = begin - kBase;
  (void)map_addresses(backing_ + at, end - begin, PROT_READ | PROT_WRITE, MAP_FIXED);
  (void)map_addresses(shadow_ + at, end - begin, PROT_READ | PROT_WRITE, MAP_FIXED);
}

void VirtualMemory::set_access(std::uint64_t begin, std::uint64_t end, int device, bool reads,
                               bool writes) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t bit = std::uint32_t{1} << device;
  for (auto it = mappings_.find(begin); it != mappings_.end() && it->first < end; ++it) {
    auto& [number, base, memory, access, read_only] = it->second;
    access = reads ? access | bit : access & ~bit;
    read_only = reads && !writes ? read_only | bit : read_only & ~bit;
  }
  refresh(begin, end);
}

void VirtualMemory::refresh(std::uint64_t begin, std::uint64_t end) {
  while (const Mapping* const before = mapping_at(begin - 1)) begin = before->base;
  while (const Mapping* const after = mapping_at(end)) end = after->end();
  std::vector<GlobalMemory::MappedRun> runs;
  for (auto it = mappings_.lower_bound(begin); it != mappings_.end() && it->first < end; ++it) {
    const Mapping& mapping = it->second;
    if (mapping.access == 0) continue;
    if (!runs.empty() && runs.back().base + runs.back().bytes == mapping.base &&
        runs.back().access == mapping.access && runs.back().read_only == mapping.read_only) {
      runs.back().bytes += mapping.memory->bytes;
      continue;
    }
    const std::uint64_t at = mapping.base - kBase;
    runs.push_back({.base = mapping.base,
                    .bytes = mapping.memory->bytes,
                    .device = mapping.memory->device,
                    .access = mapping.access,
                    .read_only = mapping.read_only,
                    .name = "memory mapped in " + range_at(mapping.base)->name,
                    .host = backing_ + at,
                    .written = shadow_ + at});
  }
  memory_.set_mapped(begin, end, std::move(runs));
}

std::optional<VirtualMemory::Unusable> VirtualMemory::unusable(std::uint64_t address,
                                                               int device) const {
  using Why = Unusable::Why;
  const std::lock_guard lock(mutex_);
  const Range* const range = range_at(address);
  if (range == nullptr) return std::nullopt;
  std::uint64_t mapped = range->base;
  while (const Mapping* const next = mapping_at(mapped)) mapped = next->end();
  Unusable found = {.range = range->name,
                    .range_bytes = range->bytes,
                    .offset = address - range->base,
                    .mapped_bytes = std::min(mapped, range->end()) - range->base};
  if (range->freed) {
    found.why = Why::freed;
    found.by = range->freed_by;
    return found;
  }
  if (const Mapping* const mapping = mapping_at(address)) {
    const bool read_only = device >= 0 && (mapping->read_only >> device & 1) != 0;
    found.why = read_only ? Why::read_only : Why::no_access;
    found.memory = mapping->memory->name;
    found.access = mapping->access;
    return found;
  }
  const auto next = range->unmapped.upper_bound(address);
  if (next != range->unmapped.begin() && address < std::prev(next)->second.end) {
    found.why = Why::unmapped;
    found.by = std::prev(next)->second.by;
  }
  return found;
}

std::vector<VirtualMemory::Alias> VirtualMemory::aliases(int device) const {
  const std::lock_guard lock(mutex_);
  std::vector<Alias> result;
  std::map<const Physical*, std::uint64_t> lowest;
  for (const auto& [base, mapping] : mappings_) {
    if ((mapping.access >> device & 1) == 0 || mapping.memory->mappings < 2) continue;
    const auto [first, is_new] = lowest.try_emplace(mapping.memory, base);
    if (!is_new) result.push_back({base, mapping.end(), first->second});
  }
  return result;
}

std::vector<const VirtualMemory::Physical*> VirtualMemory::held() const {
  std::vector<const Physical*> result;
  for (const auto& [number, memory] : physical_) {
    if (memory->handles > 0) result.push_back(memory.get());
  }
  return result;
}

std::vector<const VirtualMemory::Mapping*> VirtualMemory::mapped() const {
  std::vector<const Mapping*> result;
  for (const auto& [base, mapping] : mappings_) result.push_back(&mapping);
  return result;
}

std::vector<const VirtualMemory::Range*> VirtualMemory::reserved() const {
  std::vector<const Range*> result;
  for (const auto& [base, range] : ranges_) {
    if (!range.freed) result.push_back(&range);
  }
  return result;
}

}  // namespace warpsim
