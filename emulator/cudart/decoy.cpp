#include "emulator/cudart/decoy.h"

#include <algorithm>
#include <cstring>

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kDecoyWord = 4;

bool is_on_device(const PointerView& pointer) {
  return pointer.allocation != nullptr && !pointer.allocation->on_host();
}

}  // namespace

Decoy::Decoy(const std::string& file, const AnnouncedCall& call, GlobalMemory& memory)
    : call_(call), memory_(memory), inputs_(file, "WARPSIM_DECOY", call) {
  inputs_.for_each_on_device([&](const AnnouncedArray& array, const DecoyArray& decoy) {
    GlobalMemory::Allocation* at = memory_.find(array.address);
    if (at == nullptr || array.bytes > at->size - (array.address - at->base)) return;
    std::byte* bytes = at->host + (array.address - at->base);
    for (std::uint64_t i = 0; i < array.bytes; i += decoy.element_bytes) {
      if (std::memcmp(bytes + i, decoy.host.data() + i, decoy.element_bytes) != 0) continue;
      on_device_.set({.address = array.address + i,
                      .size = decoy.element_bytes,
                      .host = decoy.host.data() + i,
                      .device = decoy.device.data() + i});
      std::memcpy(bytes + i, decoy.device.data() + i, decoy.element_bytes);
    }
  });
}

void Decoy::to_device(std::span<std::byte> bytes, std::uint64_t address,
                      std::span<std::uint8_t> sizes) {
  results_.visit(address, bytes.size(), [&](const DecoyImage::Element& e) {
    const std::uint64_t at = e.address - address;
    if (std::memcmp(bytes.data() + at, e.device, e.size) == 0) {
      std::fill_n(sizes.begin() + static_cast<std::ptrdiff_t>(at), e.size, kTakenByte);
    }
  });
  inputs_.replace(bytes, address, sizes, host_has_results_);
}

bool Decoy::is_output_after_call(std::uint64_t address) const {
  if (call_.state() != AnnouncedCall::State::over) return false;
  return std::ranges::any_of(call_.arrays(), [&](const AnnouncedArray& array) {
    return array.is_output && address >= array.address && address - array.address < array.bytes;
  });
}

void Decoy::note_results(std::span<const std::byte> bytes, std::uint64_t address) {
  host_has_results_ = host_has_results_ || !bytes.empty();
  keep_as_is(bytes, address);
}

void Decoy::keep_as_is(std::span<const std::byte> bytes, std::uint64_t address) {
  for (std::uint64_t at = 0; at < bytes.size();) {
    // Compares by words if possible, because elements of input data have at least one.
    const bool whole = (address + at) % kDecoyWord == 0 && at + kDecoyWord <= bytes.size();
    const auto size = static_cast<std::uint32_t>(whole ? kDecoyWord : 1);
    const std::byte* what = bytes.data() + at;
    results_.set({.address = address + at, .size = size, .host = what, .device = what});
    at += size;
  }
}

void Decoy::to_host(std::span<std::byte> bytes, std::uint64_t device_address,
                    std::uint64_t host_address) {
  results_.clear(host_address, bytes.size());
  std::uint64_t noted = 0;  // number of bytes done
  const bool is_output = is_output_after_call(device_address);
  on_device_.visit(device_address, bytes.size(), [&](const DecoyImage::Element& e) {
    const std::uint64_t at = e.address - device_address;
    if (is_output || std::memcmp(bytes.data() + at, e.device, e.size) != 0) return;
    note_results(bytes.subspan(noted, at - noted), host_address + noted);
    noted = at + e.size;
    if (std::memcmp(e.host, e.device, e.size) == 0) {
      keep_as_is(bytes.subspan(at, e.size), host_address + at);  // the host's own data, no input
    } else {
      std::memcpy(bytes.data() + at, e.host, e.size);
    }
  });
  note_results(bytes.subspan(noted), host_address + noted);
}

void Decoy::along_device(std::span<const std::byte> bytes, std::uint64_t from, std::uint64_t to) {
  DecoyImage moved;
  on_device_.visit(from, bytes.size(), [&](DecoyImage::Element e) {
    if (std::memcmp(bytes.data() + (e.address - from), e.device, e.size) != 0) return;
    e.address = e.address - from + to;
    moved.set(e);
  });
  on_device_.clear(to, bytes.size());
  moved.visit(to, bytes.size(), [&](const DecoyImage::Element& e) { on_device_.set(e); });
}

void Decoy::exchange(std::span<std::byte> bytes, const PointerView& to, std::uint64_t target,
                     const PointerView& from, std::uint64_t source) {
  if (is_on_device(to) && is_on_device(from)) return along_device(bytes, source, target);
  if (is_on_device(from)) return to_host(bytes, source, target);
  if (!is_on_device(to)) return;
  const std::vector<std::byte> host(bytes.begin(), bytes.end());
  std::vector<std::uint8_t> sizes(bytes.size());
  to_device(bytes, source, sizes);
  on_device_.clear(target, bytes.size());
  // Other data are remembered, too: what comes back unchanged is not a result of a kernel.
  for (std::uint64_t at = 0; at < bytes.size();) {
    const bool replaced = sizes[at] >= kLeastDecoyElement;
    const bool word = (target + at) % kDecoyWord == 0 && at + kDecoyWord <= bytes.size() &&
                      std::ranges::none_of(std::span(sizes).subspan(at, kDecoyWord),
                                           [](auto s) { return s != 0; });
    const std::uint32_t size = replaced ? sizes[at] : word ? std::uint32_t{kDecoyWord} : 1;
    if (replaced || sizes[at] == 0) {
      on_device_.set({.address = target + at,
                      .size = size,
                      .host = host.data() + at,
                      .device = bytes.data() + at});
    }
    at += size;
  }
}

bool Decoy::may_share(const LaunchRequest& request, std::span<const std::uint32_t> sizes) const {
  std::vector<const GlobalMemory::Allocation*> pages;
  for (const GlobalMemory::Allocation* allocation : memory_.live()) {
    if (allocation->kind == GlobalMemory::Kind::managed) return true;
    if (allocation->on_host()) pages.push_back(allocation);
  }
  if (pages.empty()) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto* argument = static_cast<const std::byte*>(request.arguments[i]);
    for (std::uint32_t at = 0; at + sizeof(std::uint64_t) <= sizes[i]; at += kDecoyWord) {
      std::uint64_t pointer = 0;
      std::memcpy(&pointer, argument + at, sizeof pointer);
      const auto holds = [&](const auto* a) {
        return pointer >= a->base && pointer - a->base < a->size;
      };
      if (std::ranges::any_of(pages, holds)) return true;
    }
  }
  return false;
}

void Decoy::share(GlobalMemory::Allocation& allocation) {
  Shared& shared = shared_[allocation.base];
  const std::size_t size = allocation.size;
  const bool known = shared.id == allocation.id && shared.host.size() == size &&
                     std::memcmp(shared.host.data(), allocation.host, size) == 0;
  if (!known) {
    shared.id = allocation.id;
    shared.host.assign(allocation.host, allocation.host + size);
    shared.device = shared.host;
    shared.sizes.assign(size, 0);
    to_device(shared.device, allocation.base, shared.sizes);
  }
  for (std::size_t at = 0; at < size; ++at) {
    if (shared.sizes[at] < kLeastDecoyElement) continue;
    std::memcpy(allocation.host + at, shared.device.data() + at, shared.sizes[at]);
  }
}

void Decoy::unshare(const GlobalMemory::Allocation& allocation) {
  const auto found = shared_.find(allocation.base);
  if (found == shared_.end() || found->second.id != allocation.id) return;
  Shared& shared = found->second;
  std::byte* const now = allocation.host;
  for (std::size_t at = 0; at < allocation.size;) {
    const bool replaced = shared.sizes[at] >= kLeastDecoyElement;
    const std::size_t size = replaced ? shared.sizes[at] : 1;
    if (std::memcmp(now + at, shared.device.data() + at, size) == 0) {
      if (replaced) std::memcpy(now + at, shared.host.data() + at, size);
    } else {
      // Whole words, because a result may share bytes with the old contents.
      const std::size_t begin = at / kDecoyWord * kDecoyWord;
      const std::size_t end =
          std::min<std::size_t>(std::max(begin + kDecoyWord, at + size), allocation.size);
      note_results({now + begin, end - begin}, allocation.base + begin);
      std::memcpy(shared.host.data() + at, now + at, size);
      std::memcpy(shared.device.data() + at, now + at, size);
      std::fill_n(shared.sizes.begin() + static_cast<std::ptrdiff_t>(at), size, std::uint8_t{0});
    }
    at += size;
  }
}

Decoy::Launch::Launch(Decoy* decoy, LaunchRequest& request, std::span<const std::uint32_t> sizes)
    : decoy_(decoy) {
  if (decoy_ == nullptr) return;
  exchange_arguments(request, sizes);
  shares_ = decoy_->may_share(request, sizes);
  let_kernel_see();
}

void Decoy::Launch::exchange_arguments(LaunchRequest& request,
                                       std::span<const std::uint32_t> sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < kLeastStructure) continue;
    const auto* argument = static_cast<const std::byte*>(request.arguments[i]);
    std::vector<std::byte> bytes(argument, argument + sizes[i]);
    std::vector<std::uint8_t> taken(sizes[i]);
    decoy_->inputs_.values().replace(bytes, taken, decoy_->host_has_results_);
    if (pointers_.empty()) pointers_.assign(request.arguments, request.arguments + sizes.size());
    pointers_[i] = arguments_.emplace_back(std::move(bytes)).data();
  }
  if (!pointers_.empty()) request.arguments = pointers_.data();
}

void Decoy::Launch::let_kernel_see() {
  if (!shares_ || kernel_sees_) return;
  kernel_sees_ = true;
  for (GlobalMemory::Allocation* allocation : decoy_->memory_.live()) {
    if (allocation->on_host()) decoy_->share(*allocation);
  }
}

void Decoy::Launch::let_host_see() {
  if (!shares_ || !kernel_sees_) return;
  kernel_sees_ = false;
  for (const GlobalMemory::Allocation* allocation : decoy_->memory_.live()) {
    if (allocation->on_host()) decoy_->unshare(*allocation);
  }
}

}  // namespace warpsim::cudart
