#include "emulator/cudart/frames.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

namespace warpsim::cudart {

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

FaultStack capture_fault(const void* instruction) {
  std::array<void*, 32> stack = {};
  const int depth = backtrace(stack.data(), static_cast<int>(stack.size()));
  const auto end = stack.begin() + depth;
  const auto start = std::find(stack.begin(), end, instruction);
  if (start == end) return {instruction};
  return FaultStack(start, end);
}

std::optional<LoadedObject> loaded_object(const void* address) {
  Dl_info info = {};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return std::nullopt;
  LoadedObject object = {.name = std::filesystem::path(info.dli_fname).filename(),
                         .file = info.dli_fname,
                         .load_address = reinterpret_cast<std::uint64_t>(info.dli_fbase),
                         .symbol = {},
                         .symbol_address = 0};
  // A relative argv[0] may no longer be valid, but /proc/self/exe is.
  if (object.file == program_invocation_name) object.file = kOwnProgram;
  if (info.dli_sname != nullptr) {
    object.symbol = info.dli_sname;
    object.symbol_address = reinterpret_cast<std::uint64_t>(info.dli_saddr);
  }
  return object;
}

std::set<std::string> loaded_libraries() {
  struct Names {
    std::filesystem::path own_folder;
    std::set<std::string> others;
  } names;
  if (Dl_info here = {}; ::dladdr(reinterpret_cast<const void*>(&loaded_libraries), &here) != 0) {
    names.own_folder = std::filesystem::path(here.dli_fname).parent_path();
  }
  const auto note = [](dl_phdr_info* info, std::size_t, void* context) {
    auto& found = *static_cast<Names*>(context);
    const std::filesystem::path file(info->dlpi_name);
    if (!file.has_parent_path() || file.parent_path() != found.own_folder) {
      found.others.insert(file.filename());
    }
    return 0;
  };
  ::dl_iterate_phdr(note, &names);
  return names.others;
}

}  // namespace warpsim::cudart
