#include "emulator/machine/builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "emulator/machine/access.h"
#include "emulator/machine/address.h"
#include "emulator/machine/device_launch.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/math_builtins.h"

namespace warpsim {

std::uint64_t call_argument(const WarpContext& context, const CallOperands& site, std::size_t i,
                            int lane) {
  std::uint64_t value = 0;
  if (i >= site.arguments.size()) return value;
  const auto& place = site.arguments[i];
  const std::byte* local = context.local.data() +
                           static_cast<std::size_t>(lane) * context.local_stride +
                           context.frame().local_base + place.offset;
  std::memcpy(&value, local, std::min<std::size_t>(place.bytes, sizeof value));
  return value;
}

void set_call_result(WarpContext& context, const CallOperands& site, int lane,
                     std::uint64_t value) {
  if (site.results.empty()) return;
  const auto& place = site.results[0];
  std::byte* local = context.local.data() + static_cast<std::size_t>(lane) * context.local_stride +
                     context.frame().local_base + place.offset;
  std::memcpy(local, &value, std::min<std::size_t>(place.bytes, sizeof value));
  if (context.follower != nullptr) {
    context.follower->set_result(context, lane, context.frame().local_base + place.offset,
                                 place.bytes);
  }
}

namespace {

/// The i-th argument matters to the system.
void use_argument(WarpContext& context, const Inst& in, const CallOperands& site, std::size_t i,
                  int lane) {
  if (context.follower == nullptr || i >= site.arguments.size()) return;
  const auto& place = site.arguments[i];
  context.follower->use_argument(
      context, in, lane, kLocalWindow + context.frame().local_base + place.offset, place.bytes);
}

const Inst* print(Warp& warp, const Inst& in, const CallOperands& site) {
  WarpContext& context = *warp.context;
  for_lanes<int>(warp.active, [&](int lane) {
    const std::string format =
        read_device_string(context, lane, call_argument(context, site, 0, lane));
    const std::uint64_t packed = call_argument(context, site, 1, lane);
    std::string arguments;
    if (packed != 0) {
      arguments.resize(32 * 16);  // printf takes at most 32 arguments
      read_device_bytes(context, lane, packed, arguments.data(), arguments.size());
    }
    const Printed printed = format_device_printf(format, arguments, [&](std::uint64_t address) {
      std::string text = read_device_string(context, lane, address);
      tell_transfer(context, in, address, text.size() + 1, AccessType::load);
      return text;
    });
    context.block->printed += printed.text;
    if (context.follower != nullptr) {
      context.follower->use_argument(context, in, lane, packed, printed.bytes);
    }
    set_call_result(context, site, lane, printed.arguments);
  });
  return &in + 1;
}

const Inst* fail_assertion(Warp& warp, const Inst& in, const CallOperands& site) {
  WarpContext& context = *warp.context;
  const int lane = __builtin_ctz(warp.active);
  const std::string expression =
      read_device_string(context, lane, call_argument(context, site, 0, lane));
  const std::string file = read_device_string(context, lane, call_argument(context, site, 1, lane));
  const auto line = static_cast<std::uint32_t>(call_argument(context, site, 2, lane));
  const std::string function =
      read_device_string(context, lane, call_argument(context, site, 3, lane));
  for_lanes<int>(warp.active, [&](int at) {
    const std::uint32_t thread = warp.warp_index * kWarpSize + static_cast<std::uint32_t>(at);
    const Dim3 block = context.block->launch->block;
    context.block->printed += fmt::format(
        "{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file, line,
        function, context.block->id.x, context.block->id.y, context.block->id.z, thread % block.x,
        thread / block.x % block.y, thread / (block.x * block.y), expression);
  });
  Finding finding = finding_at(context, in, warp.active, FindingKind::assertion);
  finding.file = file;
  finding.line = line;
  finding.message = fmt::format("assertion `{}` failed in {}", expression, function);
  finding.got = "the condition is false";
  finding.want = expression;
  finding.next = "Print the values that the condition uses for this block and thread.";
  log(context, std::move(finding));
  return abort_launch(warp, in, LaunchStatus::assertion);
}

const Inst* allocate(Warp& warp, const Inst& in, const CallOperands& site) {
  WarpContext& context = *warp.context;
  LaunchState& launch = *context.block->launch;
  for_lanes<int>(warp.active, [&](int lane) {
    const std::uint64_t bytes = call_argument(context, site, 0, lane);
    use_argument(context, in, site, 0, lane);
    set_call_result(context, site, lane,
                    launch.device_malloc(bytes, describe_place(*context.frame().program, in)));
  });
  return &in + 1;
}

const Inst* release(Warp& warp, const Inst& in, const CallOperands& site) {
  WarpContext& context = *warp.context;
  LaunchState& launch = *context.block->launch;
  for_lanes<int>(warp.active, [&](int lane) {
    const std::uint64_t address = call_argument(context, site, 0, lane);
    use_argument(context, in, site, 0, lane);
    if (address != 0 && !launch.device_free(address)) {
      Finding finding = finding_at(context, in, 1u << lane, FindingKind::invalid_device_free);
      finding.message = "free() of an address that malloc() did not return or that is free already";
      finding.got = fmt::format("{:#x}", address);
      finding.want = "a pointer from the device's malloc(), freed once";
      finding.next = "Look for a second free or for pointer arithmetic before the free.";
      log(context, std::move(finding));
    }
  });
  return &in + 1;
}

const Inst* evaluate(Warp& warp, const Inst& in, const MathFunction& function,
                     const CallOperands& site) {
  WarpContext& context = *warp.context;
  // A module may declare anything under the name.
  if (site.arguments.size() != function.arguments || site.results.size() != 1) {
    raise(context, {faults::UnresolvedCall{context, in, function.name}});
    return abort_launch(warp, in, LaunchStatus::unsupported);
  }
  for_lanes<int>(warp.active, [&](int lane) {
    std::array<std::uint64_t, kMaxMathArguments> arguments{};
    for (std::size_t i = 0; i < site.arguments.size(); ++i) {
      arguments[i] = call_argument(context, site, i, lane);
    }
    set_call_result(context, site, lane, function.evaluate(arguments));
    if (context.follower == nullptr) return;
    for (const auto& place : site.arguments) {
      context.follower->compute_result(context, lane, site.results[0], place);
    }
  });
  return &in + 1;
}

/// A graph's handle is the address of a word (cudart/graph_conditional.h). It is set, not stored
/// to: that two threads set it at once is not a race that the checker knows.
const Inst* set_conditional(Warp& warp, const Inst& in, const CallOperands& site) {
  WarpContext& context = *warp.context;
  const LaunchState& launch = *context.block->launch;
  std::uint32_t bad = 0;
  for_lanes<int>(warp.active, [&](int lane) {
    const std::uint64_t handle = call_argument(context, site, 0, lane);
    use_argument(context, in, site, 0, lane);
    use_argument(context, in, site, 1, lane);
    const Extent* extent = launch.find(handle);
    if (extent == nullptr || !extent->allocation->graph_condition || handle != extent->base) {
      bad |= 1u << lane;
      return;
    }
    auto& word = *reinterpret_cast<std::uint32_t*>(extent->allocation->host);
    std::atomic_ref(word).store(static_cast<std::uint32_t>(call_argument(context, site, 1, lane)),
                                std::memory_order_relaxed);
  });
  if (bad == 0) return &in + 1;
  Finding finding = finding_at(context, in, bad, FindingKind::device_runtime_call);
  finding.message = "cudaGraphSetConditional() with an invalid handle";
  finding.got = fmt::format("{:#x}", call_argument(context, site, 0, __builtin_ctz(bad)));
  finding.want = "a handle that cudaGraphConditionalHandleCreate gave, passed by value";
  finding.next = "Check that the handle was created and passed to the kernel as it is.";
  log(context, std::move(finding));
  return abort_launch(warp, in, LaunchStatus::illegal_address);
}

}  // namespace

void read_device_bytes(const WarpContext& context, int lane, std::uint64_t address, void* to,
                       std::size_t bytes) {
  std::memset(to, 0, bytes);
  const auto copy = [&](const std::byte* from, std::size_t available) {
    std::memcpy(to, from, std::min(bytes, available));
  };
  if (in_window(address, kLocalWindow)) {
    const std::uint64_t offset = address - kLocalWindow;
    if (offset >= context.local_stride) return;
    copy(context.local.data() + static_cast<std::size_t>(lane) * context.local_stride + offset,
         context.local_stride - offset);
  } else if (in_window(address, kSharedWindow)) {
    const std::uint64_t offset = address - kSharedWindow;
    const std::uint32_t size = context.block->launch->shared_bytes;
    if (offset < size) copy(context.block->shared.data() + offset, size - offset);
  } else if (in_window(address, kParamWindow)) {
    const auto& parameters = context.block->launch->parameters;
    const std::uint64_t offset = address - kParamWindow;
    if (offset < parameters.size()) copy(parameters.data() + offset, parameters.size() - offset);
  } else if (const Extent* extent = context.block->launch->find(address)) {
    copy(extent->allocation->host + (address - extent->base), extent->end - address);
  }
}

std::string read_device_string(const WarpContext& context, int lane, std::uint64_t address,
                               std::size_t limit) {
  std::string text(limit, '\0');
  read_device_bytes(context, lane, address, text.data(), limit);
  text.resize(std::strlen(text.c_str()));
  return text;
}

Printed format_device_printf(const std::string& format, const std::string& arguments,
                             const std::function<std::string(std::uint64_t)>& read_text) {
  Printed printed;
  std::string& out = printed.text;
  std::size_t used = 0;
  const auto next = [&](std::size_t bytes) {
    ++printed.arguments;
    used = (used + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    if (used + bytes <= arguments.size()) std::memcpy(&value, arguments.data() + used, bytes);
    used += bytes;
    printed.bytes = used;
    return value;
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    std::string spec = "%";
    std::size_t j = i + 1;
    bool wide = false;
    for (; j < format.size() && std::strchr("-+ #0123456789.*hljztL", format[j]); ++j) {
      if (format[j] == '*') {
        spec += std::to_string(static_cast<std::int32_t>(next(4)));
      } else if (std::strchr("ljzt", format[j])) {
        wide = true;
      } else if (format[j] != 'h' && format[j] != 'L') {
        spec += format[j];
      }
    }
    if (j >= format.size() || spec.size() > 64) {
      out += format.substr(i);
      break;
    }
    const char kind = format[j];
    char buffer[512];
    int written = 0;
    switch (kind) {
      case '%':
        out += '%';
        break;
      case 'c':
        written =
            std::snprintf(buffer, sizeof buffer, (spec + "c").c_str(), static_cast<int>(next(4)));
        break;
      case 'd':
      case 'i': {
        const auto value = wide ? static_cast<std::int64_t>(next(8))
                                : std::int64_t{static_cast<std::int32_t>(next(4))};
        written = std::snprintf(buffer, sizeof buffer, (spec + "lld").c_str(),
                                static_cast<long long>(value));
        break;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        const std::uint64_t value = next(wide ? 8 : 4);
        written = std::snprintf(buffer, sizeof buffer, (spec + "ll" + kind).c_str(),
                                static_cast<unsigned long long>(value));
        break;
      }
      case 'p':
        written = std::snprintf(buffer, sizeof buffer, (spec + "p").c_str(),
                                reinterpret_cast<void*>(next(8)));
        break;
      case 's': {
        const std::string text = read_text(next(8));
        written = std::snprintf(buffer, sizeof buffer, (spec + "s").c_str(), text.c_str());
        if (written >= static_cast<int>(sizeof buffer)) {
          out += text;
          written = 0;
        }
        break;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const std::uint64_t bits = next(8);
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        written = std::snprintf(buffer, sizeof buffer, (spec + kind).c_str(), value);
        break;
      }
      default:
        out += format.substr(i, j - i + 1);
        break;
    }
    if (written > 0)
      out.append(buffer,
                 std::min<std::size_t>(static_cast<std::size_t>(written), sizeof buffer - 1));
    i = j;
  }
  return printed;
}

const Inst* call_builtin(Warp& warp, const Inst& in, FunctionRef& callee,
                         const CallOperands& site) {
  switch (callee.builtin) {
    case FunctionRef::Builtin::vprintf:
      return print(warp, in, site);
    case FunctionRef::Builtin::assertfail:
      return fail_assertion(warp, in, site);
    case FunctionRef::Builtin::malloc:
      return allocate(warp, in, site);
    case FunctionRef::Builtin::free:
      return release(warp, in, site);
    case FunctionRef::Builtin::set_conditional:
      return set_conditional(warp, in, site);
    case FunctionRef::Builtin::none:
      break;
    case FunctionRef::Builtin::unresolved:
      if (const MathFunction* function = find_math_function(callee.name)) {
        return evaluate(warp, in, *function, site);
      }
      if (const Inst* next = nullptr; call_device_runtime(warp, in, callee.name, site, next)) {
        return next;
      }
      break;
  }
  raise(*warp.context, {faults::UnresolvedCall{*warp.context, in, callee.name}});
  return abort_launch(warp, in, LaunchStatus::unsupported);
}

}  // namespace warpsim
