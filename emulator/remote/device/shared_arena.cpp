#include "emulator/remote/device/shared_arena.h"

#include <fcntl.h>
#include <sys/mman.h>

namespace warpsim::remote {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMostAdopted = std::uint64_t{4} << 30;  // each page is remembered
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

std::uint64_t round_up(std::uint64_t n) {
  return (n + kPage - 1) / kPage * kPage;
}

}  // namespace

SharedArena::SharedArena(Session& session) : session_(session) {
  void* mapped = ::mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                        session.shared_file(), 0);
  if (mapped != MAP_FAILED) base_ = static_cast<std::byte*>(mapped);
}

std::uint64_t SharedArena::take(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (base_ == nullptr) return kNowhere;
  const auto reused = free_.lower_bound(bytes);
  if (reused != free_.end() && reused->first <= 2 * bytes) {
    const auto [size, offset] = *reused;
    free_.erase(reused);
    if (size > bytes) free_.emplace(size - bytes, offset + bytes);
    return offset;
  }
  if (bytes > kSharedBytes - next_) return kNowhere;
  next_ += bytes;
  return next_ - bytes;
}

void SharedArena::give_back(std::uint64_t offset, std::uint64_t bytes) {
  // Later allocations there are zero again.
  (void)::fallocate(session_.shared_file(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(offset), static_cast<off_t>(bytes));
  const std::lock_guard lock(mutex_);
  free_.emplace(bytes, offset);
}

bool SharedArena::ask(Request request, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  Writer out;
  out.value(a);
  out.value(b);
  out.value(c);
  const auto answer = session_.request(request, out.data());
  if (answer.size() != 1) session_.end("gave an answer of the wrong length");
  return answer.front() != std::byte{0};
}

SharedPages::Range SharedArena::allocate(std::uint64_t size) {
  if (size > kSharedBytes / 2) return {};
  const std::uint64_t bytes = round_up(size);
  const std::uint64_t offset = take(bytes + kPage);  // the next page stays inaccessible
  if (offset == kNowhere) return {};
  if (!ask(Request::map_shared, offset, bytes)) {
    give_back(offset, bytes + kPage);
    return {};
  }
  return {kSharedBase + offset, base_ + offset};
}

void SharedArena::release(const Range& range, std::uint64_t size) {
  const std::uint64_t bytes = round_up(size);
  const std::uint64_t offset = range.address - kSharedBase;
  (void)ask(Request::unmap_shared, offset, bytes);
  give_back(offset, bytes + kPage);
}

std::byte* SharedArena::adopt(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t first = address / kPage * kPage;
  const std::uint64_t end = round_up(address + size);
  const std::uint64_t bytes = end - first;
  if (bytes > kMostAdopted) return nullptr;
  // Maps the pages contiguously here, wherever in the file they are.
  void* view =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (view == MAP_FAILED) return nullptr;
  auto* const here = static_cast<std::byte*>(view);
  for (std::uint64_t page = first; page < end;) {
    std::uint64_t run = page + kPage;
    std::uint64_t offset = 0;
    const auto shared = pages_.find(page);
    if (shared != pages_.end()) {
      offset = shared->second.offset;
    } else {
      while (run < end && !pages_.contains(run)) run += kPage;
      offset = take(run - page);
      if (offset == kNowhere || !ask(Request::adopt, page, run - page, offset)) {
        ::munmap(view, bytes);
        return nullptr;
      }
      for (std::uint64_t p = page; p < run; p += kPage) pages_[p] = {.offset = offset + (p - page)};
    }
    if (::mmap(here + (page - first), run - page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
               session_.shared_file(), static_cast<off_t>(offset)) == MAP_FAILED) {
      return nullptr;
    }
    page = run;
  }
  for (std::uint64_t page = first; page < end; page += kPage) ++pages_[page].users;
  return here + (address - first);
}

/// The program's pages stay shared; when registered again they get another place in the file,
/// because the program may have unmapped them in the meantime.
void SharedArena::disown(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t page = address / kPage * kPage; page < address + size; page += kPage) {
    const auto found = pages_.find(page);
    if (found != pages_.end() && --found->second.users <= 0) pages_.erase(found);
  }
}

}  // namespace warpsim::remote
