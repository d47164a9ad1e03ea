#include "emulator/machine/access.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/machine/address.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {
namespace {

bool any_misaligned(const std::uint64_t* address, std::uint32_t width) {
  std::uint64_t bits = 0;
  for (int i = 0; i < kWarpSize; ++i) bits |= address[i];
  return (bits & (width - 1)) != 0;
}

/// Observers see global and shared memory: local memory belongs to one thread.
void tell_observers(WarpContext& context, const AccessRequest& request, const Located& at) {
  const BlockContext& block = *context.block;
  if ((block.watch & kAccesses) == 0 || at.lanes == 0) return;
  if (request.space != ptx::Space::global && request.space != ptx::Space::shared) return;
  const MemoryAccess access{.in = request.in,
                            .space = request.space,
                            .type = request.type,
                            .width = request.width,
                            .lanes = at.lanes,
                            .addresses = at.address,
                            .values = request.values};
  for (Observer* const observer : block.launch->access_observers) observer->access(context, access);
}

void use_initialization(WarpContext& context, const AccessRequest& request, const Located& at) {
  const std::uint32_t watch = context.block->watch;
  if (request.type == AccessType::store) {
    const bool known = request.space == ptx::Space::shared && (watch & kSharedInitialization) == 0;
    if (!known) mark_written(context, request.width, at);
  } else if ((watch & kInitialization) != 0 && request.space != ptx::Space::param) {
    check_written(context, request.in, request.width, at);
  }
}

void locate(WarpContext& context, const AccessRequest& request, Located& at) {
  switch (request.space) {
    case ptx::Space::shared:
      return locate_shared(context, request.in, request.width, request.type, at);
    case ptx::Space::local:
    case ptx::Space::param:
      return locate_local(context, request.in, request.width, request.type, at);
    default:
      return locate_global(context, request.in, request.width, request.type, at);
  }
}

// -- generic addresses ----------------------------------------------------------------------------

enum class Window : std::uint8_t { global, shared, local, parameter };

Window window_of(std::uint64_t address) {
  if (in_window(address, kSharedWindow)) return Window::shared;
  if (in_window(address, kLocalWindow)) return Window::local;
  if (in_window(address, kParamWindow)) return Window::parameter;
  return Window::global;
}

struct WindowSpace {
  ptx::Space space;
  std::uint64_t base;
};
constexpr WindowSpace kSpaces[] = {{ptx::Space::global, 0},
                                   {ptx::Space::shared, kSharedWindow},
                                   {ptx::Space::local, kLocalWindow}};

void locate_kernel_parameters(const WarpContext& context, std::uint32_t lanes, std::uint32_t width,
                              Located& at) {
  const std::vector<std::byte>& parameters = context.block->launch->parameters;
  for_lanes(lanes, [&](std::size_t lane) {
    const std::uint64_t place = at.address[lane] - kParamWindow;
    if (place + width > parameters.size()) return;
    at.lanes |= 1u << lane;
    // Parameters are constant: the emulator only ever reads through this pointer.
    at.host[lane] = const_cast<std::byte*>(parameters.data()) + place;
  });
}

/// Lanes of one window at a time, each by the rules of its space.
void settle_generic(WarpContext& context, const AccessRequest& request, Located& at) {
  const std::uint32_t all = context.warp.active;
  InlineCache& memo = context.tables->inline_caches[request.in.index];
  at.lanes = 0;
  at.fatal = false;
  for (std::uint32_t left = all; left != 0;) {
    const Window window = window_of(at.address[std::countr_zero(left)]);
    std::uint32_t lanes = 0;
    for_lanes(left, [&](std::size_t lane) {
      if (window_of(at.address[lane]) == window) lanes |= 1u << lane;
    });
    left &= ~lanes;
    // What was remembered about one space says nothing about another.
    if (std::exchange(memo.pattern.space, static_cast<std::uint8_t>(window)) !=
        memo.pattern.space) {
      memo.pattern.shape.mask = 0;
    }
    Located part;
    std::copy(std::begin(at.address), std::end(at.address), std::begin(part.address));
    if (window == Window::parameter) {
      locate_kernel_parameters(context, lanes, request.width, part);
    } else {
      const WindowSpace& of = kSpaces[static_cast<std::size_t>(window)];
      AccessRequest within = request;
      within.space = of.space;
      for_lanes(lanes, [&](std::size_t lane) { part.address[lane] -= of.base; });
      context.warp.active = lanes;
      if ((context.block->watch & kCounts) != 0) count_generic(context, within, part.address);
      locate(context, within, part);
      context.warp.active = all;
      tell_observers(context, within, part);
      // Cooperative groups change words of the system's own shared memory, which nothing
      // initializes, by atomics with generic addresses.
      if (within.type == AccessType::atomic) within.type = AccessType::store;
      context.warp.active = part.lanes;
      use_initialization(context, within, part);
      context.warp.active = all;
    }
    for_lanes(part.lanes, [&](std::size_t lane) { at.host[lane] = part.host[lane]; });
    at.lanes |= part.lanes;
    at.fatal = at.fatal || part.fatal;
  }
  // The windows' own searches would mistake offsets of one space for another's.
  memo.base = memo.end = 0;
  memo.allocation = nullptr;
}

}  // namespace

bool begin_access(WarpContext& context, const AccessRequest& request,
                  const std::uint64_t* address) {
  if (any_misaligned(address, request.width)) {
    const bool generic = request.space == ptx::Space::generic;
    const ptx::Space space = request.space == ptx::Space::param ? ptx::Space::local : request.space;
    if (check_alignment(context, request.in, address, request.width,
                        generic ? "generic" : ptx::name(space))) {
      return false;
    }
  }
  if ((context.block->watch & kCounts) != 0 && request.space != ptx::Space::generic) {
    count_access(context, request, address);
  }
  return true;
}

void settle_access(WarpContext& context, const AccessRequest& request, Located& at) {
  if (request.space == ptx::Space::generic) return settle_generic(context, request, at);
  locate(context, request, at);
  tell_observers(context, request, at);
  use_initialization(context, request, at);
}

void tell_transfer(WarpContext& context, const Inst& in, std::uint64_t address, std::uint64_t bytes,
                   AccessType type) {
  for (Observer* const observer : context.block->launch->access_observers) {
    observer->transfer(context, in, address, bytes, type);
  }
}

void tell_fence(WarpContext& context, const Inst& in) {
  for (Observer* const observer : context.block->launch->access_observers) {
    observer->fence(context, in);
  }
}

}  // namespace warpsim
