#include "emulator/cudart/call_sites.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <variant>

#include "emulator/cudart/call_site.h"
#include "emulator/cudart/runtime.h"
#include "emulator/report/names.h"

namespace warpsim::cudart {
namespace {

/// A larger one is the bits of a float, or no number that a slip of one changes.
constexpr std::int64_t kLargestNumber = std::int64_t{1} << 28;

std::string bare_name(const KernelInfo& kernel) {
  std::string name = readable_name(kernel.name);
  name = name.substr(0, name.find('<'));
  const auto colons = name.rfind("::");
  return colons == name.npos ? name : name.substr(colons + 2);
}

}  // namespace

CallSites::CallSites(const Runtime& runtime, const CallRecord& record) : steps_(record.steps()) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (const auto* memory = std::get_if<MemoryAppears>(&steps_[i])) memory_.push_back(memory);
    if (const auto* launch = std::get_if<LaunchStep>(&steps_[i])) {
      add(i, launch->by, bare_name(runtime.machine.info(*launch->request.kernel)));
    }
    if (const auto* copy = std::get_if<CopyStep>(&steps_[i])) {
      add(i, copy->by, std::string(copy->by.api));
    }
    if (const auto* fill = std::get_if<FillStep>(&steps_[i])) {
      add(i, fill->by, std::string(fill->by.api));
    }
  }
}

void CallSites::add(std::size_t number, const AskedBy& by, const std::string& call) {
  const CallSite place = resolve(by.api, by.frames);
  if (place.line == 0) return;
  const std::string file = std::filesystem::path(place.file).filename().string();
  const auto known = std::ranges::find_if(sites_, [&](const WorkSite& site) {
    return site.file == file && site.line == place.line && site.call == call;
  });
  if (known != sites_.end()) {
    known->steps.push_back(number);
  } else {
    sites_.push_back({.file = file, .line = place.line, .call = call, .steps = {number}});
  }
}

const WorkSite* CallSites::find(std::string_view file, std::uint32_t line,
                                std::string_view call) const {
  const auto found = std::ranges::find_if(sites_, [&](const WorkSite& site) {
    return site.file == file && site.line == line && (call.empty() || site.call == call);
  });
  return found == sites_.end() ? nullptr : &*found;
}

bool CallSites::is_first(std::size_t step, std::string_view call) const {
  return std::ranges::none_of(
      sites_, [&](const WorkSite& site) { return site.call == call && site.steps.front() < step; });
}

const LaunchStep* CallSites::launch_at(std::string_view file, std::uint32_t line,
                                       std::size_t before) const {
  const WorkSite* const site = find(file, line, {});
  if (site == nullptr) return nullptr;
  const auto after = std::ranges::lower_bound(site->steps, before);
  const std::size_t number = after == site->steps.begin() ? site->steps.front() : *(after - 1);
  return std::get_if<LaunchStep>(&steps_[number]);
}

std::uint64_t CallSites::bytes_at(std::uint64_t address) const {
  for (const MemoryAppears* const memory : memory_) {
    if (address >= memory->base && address - memory->base < memory->size) {
      return memory->size - (address - memory->base);
    }
  }
  return 0;
}

bool CallSites::is_pointer(std::span<const std::byte> argument) const {
  if (argument.size() != sizeof(std::uint64_t)) return false;
  std::uint64_t address = 0;
  std::memcpy(&address, argument.data(), sizeof address);
  return bytes_at(address) != 0;
}

std::optional<std::int64_t> CallSites::number(std::span<const std::byte> argument) const {
  std::int64_t value = 0;
  if (argument.size() == sizeof(std::int32_t)) {
    std::int32_t narrow = 0;
    std::memcpy(&narrow, argument.data(), sizeof narrow);
    value = narrow;
  } else if (argument.size() == sizeof value && !is_pointer(argument)) {
    std::memcpy(&value, argument.data(), sizeof value);
  } else {
    return std::nullopt;
  }
  if (value < -1 || value > kLargestNumber) return std::nullopt;
  return value;
}

}  // namespace warpsim::cudart
