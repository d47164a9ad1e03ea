#include "emulator/cudart/call_site.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/report/elf_image.h"
#include "emulator/report/line_table.h"
#include "emulator/report/names.h"

namespace warpsim::cudart {
namespace {

/// The toolkit's headers define thin templates of these names over the C functions, and nvcc makes
/// a stub for every kernel.
bool is_wrapper(std::string_view function) {
  return function.starts_with("cuda") || function.find("__device_stub_") != function.npos ||
         function.find("__cudaLaunch") != function.npos;
}

CallSite look_up(const void* address, const void* inside) {
  CallSite site;
  Dl_info info = {};
  if (dladdr(inside, &info) == 0 || info.dli_fname == nullptr) return site;
  const std::filesystem::path path = info.dli_fname;
  site.object = path.filename();
  const auto load_address = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  const auto target = reinterpret_cast<std::uint64_t>(address);
  // The dynamic symbols of a program are few; its full table has the static functions, too. A
  // relative argv[0] may not lead to the file any more, but the kernel's link does.
  const bool main_program = info.dli_fname == std::string_view(program_invocation_name);
  if (const auto image = ElfImage::open(main_program ? "/proc/self/exe" : path.string())) {
    const std::uint64_t base = image->position_independent() ? load_address : 0;
    const std::uint64_t in_file = reinterpret_cast<std::uint64_t>(inside) - base;
    if (auto source = find_source_line(*image, in_file)) {
      site.file = std::move(source->file);
      site.line = source->line;
    }
    const auto found = image->function_at(in_file);
    if (found) {
      site.function = readable_name(found->name);
      site.offset = found->offset + (target - reinterpret_cast<std::uint64_t>(inside));
      return site;
    }
  }
  if (info.dli_sname != nullptr) {
    site.function = readable_name(info.dli_sname);
    site.offset = target - reinterpret_cast<std::uint64_t>(info.dli_saddr);
  }
  return site;
}

/// Names of addresses seen so far: a program frees in a loop from one place.
struct Cache {
  std::mutex mutex;
  std::map<const void*, CallSite> sites;
};

Cache& cache() {
  // Never destroyed: the report at exit still asks, after the destructors of statics.
  static auto& instance = *new Cache;
  return instance;
}

CallSite cached(const void* address, const void* inside) {
  const std::lock_guard lock(cache().mutex);
  const auto [slot, is_new] = cache().sites.try_emplace(inside);
  if (is_new) slot->second = look_up(address, inside);
  return slot->second;
}

}  // namespace

void forget_call_sites() {
  const std::lock_guard lock(cache().mutex);
  cache().sites.clear();
}

Frames capture_frames(const void* return_address) {
  Frames frames;
  frames.addresses[0] = return_address;
  std::array<void*, 24> stack = {};
  const int depth = backtrace(stack.data(), static_cast<int>(stack.size()));
  const auto end = stack.begin() + depth;
  const auto start = std::find(stack.begin(), end, return_address);
  if (start == end) return frames;
  std::copy_n(start, std::min<std::ptrdiff_t>(end - start, std::ssize(frames.addresses)),
              frames.addresses.begin());
  return frames;
}

CallSite resolve(std::string_view api, const Frames& frames) {
  CallSite first;
  for (const void* address : frames.addresses) {
    if (address == nullptr) break;
    // A return address may be the first byte of the next function; the call is before it.
    CallSite site = cached(address, static_cast<const char*>(address) - 1);
    const bool wrapper = is_wrapper(site.function);
    if (first.object.empty() || !wrapper) first = std::move(site);
    if (!wrapper) break;
  }
  first.api = api;
  return first;
}

CallSite resolve_fault(const void* instruction) {
  std::array<void*, 32> stack = {};
  const int depth = backtrace(stack.data(), static_cast<int>(stack.size()));
  const auto end = stack.begin() + depth;
  CallSite site = cached(instruction, instruction);
  for (auto at = std::find(stack.begin(), end, instruction); at != end; ++at) {
    if (!site.object.starts_with("libc.so") && !site.object.starts_with("libstdc++")) break;
    if (std::next(at) == end) break;
    const void* caller = *std::next(at);
    site = cached(caller, static_cast<const char*>(caller) - 1);
  }
  return site;
}

}  // namespace warpsim::cudart
