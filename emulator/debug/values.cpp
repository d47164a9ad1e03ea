#include "emulator/debug/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/machine/address.h"

namespace warpsim::debug {
namespace {

using Kind = Type::Kind;

struct Found {
  const std::byte* data = nullptr;
  const std::uint8_t* written = nullptr;  // null: all is initialized
  std::uint64_t room = 0;  // bytes up to the end of what has them
  std::string name;
  std::uint64_t offset = 0;  // in it
};

Found find_global(const Thread& thread, std::uint64_t address) {
  Found found;
  const Extent* extent = thread.launch().find(address);
  if (extent == nullptr) return found;
  const GlobalMemory::Allocation& allocation = *extent->allocation;
  found.offset = address - extent->base;
  found.data = allocation.host + found.offset;
  found.room = extent->end - address;
  found.name = allocation.name;
  if (allocation.written != nullptr && !allocation.all_written) {
    found.written = allocation.written + found.offset;
  }
  return found;
}

Found find_shared(const Thread& thread, std::uint64_t address) {
  Found found;
  const BlockContext* block = &thread.block();
  if (address >= kClusterStride) {
    const std::uint64_t rank = address / kClusterStride - 1;
    address %= kClusterStride;
    if (rank >= block->cluster->blocks.size()) return found;
    block = block->cluster->blocks[rank].get();
  }
  for (const SharedArray& array : thread.launch().shared_arrays) {
    if (address < array.offset || address >= std::uint64_t{array.offset} + array.bytes) continue;
    found.offset = address - array.offset;
    found.data = block->shared.data() + address;
    found.room = array.bytes - found.offset;
    found.name = array.name;
    if ((block->watch & kSharedInitialization) != 0) {
      found.written = block->shared_written.bytes() + address;
    }
    return found;
  }
  return found;
}

Found find_local(const Thread& thread, std::uint64_t address) {
  Found found;
  if (address >= thread.warp->local_stride) return found;
  const std::size_t at =
      static_cast<std::size_t>(thread.lane) * thread.warp->local_stride + address;
  found.data = thread.warp->local.data() + at;
  found.written = thread.warp->local_written.bytes() + at;
  found.room = thread.warp->local_stride - address;
  found.name = "local memory";
  found.offset = address;
  return found;
}

Found find(const Thread& thread, ptx::Space space, std::uint64_t address) {
  if (space == ptx::Space::generic) {
    if (in_window(address, kSharedWindow)) {
      return find_shared(thread, address - kSharedWindow);
    }
    if (in_window(address, kLocalWindow)) return find_local(thread, address - kLocalWindow);
    if (in_window(address, kParamWindow)) {
      const auto& parameters = thread.launch().parameters;
      const std::uint64_t offset = address - kParamWindow;
      Found found;
      if (offset >= parameters.size()) return found;
      found.data = parameters.data() + offset;
      found.room = parameters.size() - offset;
      found.name = "the kernel's parameters";
      return found;
    }
    return find_global(thread, address);
  }
  if (space == ptx::Space::shared) return find_shared(thread, address);
  if (space == ptx::Space::local) return find_local(thread, address);
  return find_global(thread, address);
}

std::uint64_t load_bits(const std::byte* bytes, std::uint64_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, std::min<std::uint64_t>(size, 8));
  return bits;
}

std::int64_t extend(std::uint64_t bits, std::uint64_t size) {
  if (size == 0 || size >= 8) return static_cast<std::int64_t>(bits);
  const auto shift = static_cast<int>(64 - 8 * size);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

std::string show_character(std::uint64_t code) {
  const auto c = static_cast<char>(code);
  if (c >= ' ' && c <= '~') return fmt::format("{} '{}'", static_cast<int>(c), c);
  return fmt::format("{}", static_cast<int>(c));
}

}  // namespace

Bytes read_memory(const Thread& thread, ptx::Space space, std::uint64_t address,
                  std::uint64_t bytes) {
  Bytes result;
  const Found found = find(thread, space, address);
  if (found.data == nullptr || found.room < bytes) {
    result.problem = found.data == nullptr ? "no memory at this address"
                                           : fmt::format("past the end of {}", found.name);
    return result;
  }
  result.data.assign(found.data, found.data + bytes);
  if (found.written != nullptr && bytes > 0) {
    const std::uint8_t* const end = found.written + bytes;
    result.initialized = std::find(found.written, end, 0) == end;
    result.any_initialized = std::find_if(found.written, end, [](auto b) { return b != 0; }) != end;
  }
  return result;
}

Bytes read(const Thread& thread, const Value& value, std::uint64_t limit) {
  Bytes result;
  if (!value.problem.empty()) {
    result.problem = value.problem;
  } else if (value.in_memory) {
    return read_memory(thread, value.space, value.address, std::min(value.type->size, limit));
  } else {
    result.data = value.bytes;
  }
  return result;
}

std::uint64_t elements_from(const Thread& thread, std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0) return 0;
  return find(thread, ptx::Space::generic, address).room / bytes;
}

std::string name_of(const Thread& thread, std::uint64_t address) {
  const Found found = find(thread, ptx::Space::generic, address);
  if (found.data == nullptr) return {};
  return found.offset == 0 ? found.name : fmt::format("{} + {}", found.name, found.offset);
}

std::uint64_t generic_address(const Value& value) {
  if (value.space == ptx::Space::shared) return kSharedWindow + value.address;
  if (value.space == ptx::Space::local) return kLocalWindow + value.address;
  return value.address;
}

std::string show_number(const Type& type, const std::byte* bytes) {
  const std::uint64_t bits = load_bits(bytes, type.size);
  switch (type.kind) {
    case Kind::boolean:
      return (bits & 0xff) != 0 ? "true" : "false";
    case Kind::character:
      return show_character(bits);
    case Kind::integer:
      return fmt::format("{}", extend(bits, type.size));
    case Kind::natural:
      return fmt::format("{}", bits);
    case Kind::real: {
      if (type.size == 4) {
        float number = 0;
        std::memcpy(&number, bytes, sizeof number);
        return fmt::format("{}", number);
      }
      double number = 0;
      std::memcpy(&number, bytes, sizeof number);
      return fmt::format("{}", number);
    }
    case Kind::enumeration:
      for (const auto& [name, number] : type.names) {
        if (number == extend(bits, type.size)) return name;
      }
      return fmt::format("{}", extend(bits, type.size));
    default:
      return fmt::format("0x{:0{}x}", bits, 2 * std::min<std::uint64_t>(type.size, 8));
  }
}

std::string show(const Thread& thread, const Value& value) {
  if (!value.problem.empty()) return fmt::format("<{}>", value.problem);
  const Type& type = *value.type;
  if (type.kind == Kind::array) {
    return fmt::format("{{{} elements}}", type.count);
  }
  if (type.kind == Kind::structure && type.members.empty()) {
    return fmt::format("{{{} bytes}}", type.size);
  }
  const Bytes bytes = read(thread, value);
  if (!bytes.problem.empty()) return fmt::format("<{}>", bytes.problem);
  if (type.kind == Kind::structure) {
    std::string text;
    for (const Type::Member& member : type.members) {
      if (text.size() > 80) {
        text += ", ...";
        break;
      }
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", member.name,
                          show(thread, member_of(value, member)));
    }
    return "{" + text + "}";
  }
  if (!bytes.initialized) return bytes.any_initialized ? "partly uninitialized" : "uninitialized";
  if (bytes.data.size() < std::min<std::uint64_t>(type.size, 8)) return "<no value>";
  if (type.kind != Kind::pointer) return show_number(type, bytes.data.data());
  const std::uint64_t address = load_bits(bytes.data.data(), 8);
  const std::string name = name_of(thread, address);
  if (address == 0) return "nullptr";
  return fmt::format("{:#x}{}", address, name.empty() ? "" : fmt::format(" ({})", name));
}

Value member_of(const Value& whole, const Type::Member& member) {
  Value part = whole;
  part.type = member.type;
  if (whole.in_memory) {
    part.address += member.offset;
  } else if (member.offset + member.type->size <= whole.bytes.size()) {
    const auto from = whole.bytes.begin() + static_cast<std::ptrdiff_t>(member.offset);
    part.bytes.assign(from, from + static_cast<std::ptrdiff_t>(member.type->size));
  } else if (part.problem.empty()) {
    part.problem = "optimized out";
  }
  return part;
}

Value element_of(const Value& array, std::uint64_t index) {
  return member_of(
      array, {.name = {}, .offset = index * array.type->target->size, .type = array.type->target});
}

Value target_of(const Thread& thread, const Value& pointer, std::int64_t index) {
  Value result;
  result.type = pointer.type->target;
  const Bytes bytes = read(thread, pointer);
  if (!bytes.problem.empty() || bytes.data.size() < 8) {
    result.problem = bytes.problem.empty() ? "no value" : bytes.problem;
    return result;
  }
  if (!bytes.initialized) {
    result.problem = "the pointer is uninitialized";
    return result;
  }
  std::uint64_t address =
      load_bits(bytes.data.data(), 8) + static_cast<std::uint64_t>(index) * result.type->size;
  result.in_memory = true;
  result.space = ptx::Space::global;
  if (in_window(address, kSharedWindow)) {
    result.space = ptx::Space::shared;
    address -= kSharedWindow;
  } else if (in_window(address, kLocalWindow)) {
    result.space = ptx::Space::local;
    address -= kLocalWindow;
  } else if (in_window(address, kParamWindow)) {
    result.space = ptx::Space::generic;
  }
  result.address = address;
  return result;
}

Value read_register(const Thread& thread, std::uint32_t reg, const Type* type) {
  Value value;
  value.type = type;
  const Program& program = *thread.frame->program;
  const std::int32_t slot = reg < program.register_slots.size() ? program.register_slots[reg] : -1;
  if (slot < 0) {
    value.problem = "optimized out";
    return value;
  }
  const std::byte* const window = thread.warp->registers.data() + thread.frame->window;
  const ptx::Type of = program.function->registers[reg].type;
  if (of == ptx::Type::pred) {
    std::uint32_t mask = 0;
    std::memcpy(&mask, window + slot, sizeof mask);
    value.bytes = {std::byte{static_cast<std::uint8_t>((mask >> thread.lane) & 1)}};
    return value;
  }
  const std::size_t bytes = ptx::size_bytes(of);
  const std::byte* const from = window + slot + static_cast<std::size_t>(thread.lane) * bytes;
  value.bytes.assign(from, from + bytes);
  return value;
}

}  // namespace warpsim::debug
