#include "emulator/cudart/call_site.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/cudart/host_program.h"
#include "emulator/report/names.h"
#include "emulator/symbols/host_place.h"

namespace warpsim::cudart {
namespace {

/// The toolkit's headers define thin templates with these names over the C functions, nvcc
/// generates a stub for every kernel, and the driver API calls the runtime.
bool is_wrapper(const CallSite& site) {
  const std::string_view function = site.function;
  return site.object == "libcuda.so.1" || function.starts_with("cuda") ||
         function.find("__device_stub_") != function.npos ||
         function.find("__cudaLaunch") != function.npos;
}

CallSite look_up(const void* address, const void* inside) {
  CallSite site;
  const std::optional<LoadedObject> object = HostProgram::get().object_of(inside);
  if (!object) return site;
  site.object = object->name;
  const auto target = reinterpret_cast<std::uint64_t>(address);
  // A program has few dynamic symbols; the full symbol table has static functions, too.
  const auto code = reinterpret_cast<std::uint64_t>(inside);
  HostPlace place;
  if (!object->file.empty()) place = find_host_place(object->file, object->load_address, code);
  site.file = std::move(place.file);
  site.line = place.line;
  if (!place.function.empty()) {
    site.function = readable_name(place.function);
    site.offset = place.offset + (target - code);
  } else if (!object->symbol.empty()) {
    site.function = readable_name(object->symbol.c_str());
    site.offset = target - object->symbol_address;
  }
  return site;
}

/// A cache of resolved addresses: a program may free in a loop.
struct Cache {
  std::mutex mutex;
  std::map<const void*, CallSite> sites;
};

Cache& cache() {
  // Never destroyed, because the report at exit uses it after static destructors.
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

CallSite resolve(std::string_view api, const Frames& frames) {
  CallSite first;
  for (const void* address : frames.addresses) {
    if (address == nullptr) break;
    // A return address may be the first byte of the next function; the call is before it.
    CallSite site = cached(address, static_cast<const char*>(address) - 1);
    const bool wrapper = is_wrapper(site);
    if (first.object.empty() || !wrapper) first = std::move(site);
    if (!wrapper) break;
  }
  first.api = api;
  return first;
}

CallSite resolve_fault(const FaultStack& stack) {
  if (stack.empty()) return {};
  CallSite site = cached(stack.front(), stack.front());
  for (std::size_t caller = 1; caller < stack.size(); ++caller) {
    if (!site.object.starts_with("libc.so") && !site.object.starts_with("libstdc++") &&
        !site.object.starts_with("libcublas") && !site.object.starts_with("libcurand.so") &&
        !site.object.starts_with("libcusparse.so")) {
      break;
    }
    site = cached(stack[caller], static_cast<const char*>(stack[caller]) - 1);
  }
  return site;
}

}  // namespace warpsim::cudart
