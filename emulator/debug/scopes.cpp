#include "emulator/debug/scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/debug/places.h"
#include "emulator/debug_info/storage.h"

namespace warpsim::debug {
namespace {

Value from_bytes(const Type* type, const void* bytes, std::size_t size) {
  Value value;
  value.type = type;
  const auto* const from = static_cast<const std::byte*>(bytes);
  value.bytes.assign(from, from + size);
  return value;
}

Value number(Types& types, std::uint32_t value) {
  return from_bytes(types.named("unsigned int"), &value, sizeof value);
}

Value triple(Types& types, const Dim3& dim) {
  const std::uint32_t parts[3] = {dim.x, dim.y, dim.z};
  return from_bytes(types.triple(), parts, sizeof parts);
}

/// A type of the right size: a structure of which only the name is known gets the size that it has.
const Type* sized(Types& types, const std::string& name, std::uint64_t bytes) {
  const Type* type = types.named(name);
  if (type->size == bytes) return type;
  return &types.add({.kind = Type::Kind::structure, .name = name, .size = bytes});
}

Dim3 thread_index(const Thread& thread) {
  const Dim3& size = thread.launch().block;
  const std::uint32_t linear =
      thread.warp->warp.warp_index * kWarpSize + static_cast<std::uint32_t>(thread.lane);
  return {linear % size.x, linear / size.x % size.y, linear / (size.x * size.y)};
}

Value in_memory(const Type* type, ptx::Space space, std::uint64_t address) {
  Value value;
  value.type = type;
  value.in_memory = true;
  value.space = space;
  value.address = address;
  return value;
}

bool is_about(const ptx::Instruction& instruction, ptx::Space space) {
  if (instruction.opcode != "ld" && instruction.opcode != "st") return false;
  if (instruction.has(ptx::name(space))) return true;
  // A generic address may be in any of these.
  for (const char* other : {"param", "local", "const", "shared", "global"}) {
    if (instruction.has(other)) return false;
  }
  return true;
}

}  // namespace

const Type* type_of(Types& types, ptx::Type type) {
  switch (type) {
    case ptx::Type::pred:
      return types.named("bool");
    case ptx::Type::f32:
      return types.named("float");
    case ptx::Type::f64:
      return types.named("double");
    case ptx::Type::s8:
      return types.named("signed char");
    case ptx::Type::u8:
      return types.named("unsigned char");
    case ptx::Type::s16:
      return types.named("short");
    case ptx::Type::u16:
      return types.named("unsigned short");
    case ptx::Type::s32:
      return types.named("int");
    case ptx::Type::u32:
      return types.named("unsigned int");
    case ptx::Type::s64:
      return types.named("long");
    case ptx::Type::u64:
      return types.named("unsigned long");
    default:
      return types.bits(ptx::size_bytes(type));
  }
}

const Type* usual_element(Types& types, const Program& program, ptx::Space space) {
  ptx::Type usual = ptx::Type::none;
  for (const ptx::Instruction* instruction : program.source) {
    if (instruction == nullptr || !is_about(*instruction, space)) continue;
    const auto type = ptx::parse_type(instruction->modifiers.back());
    if (!type) continue;
    if (usual != ptx::Type::none && usual != *type) return types.bits(4);
    usual = *type;
  }
  return usual == ptx::Type::none ? types.bits(4) : type_of(types, usual);
}

namespace {

Value problem(const Type* type, const char* what) {
  Value value;
  value.type = type;
  value.problem = what;
  return value;
}

Value value_in_register(const Thread& thread, const Type* type, std::uint64_t number) {
  Value value = read_register(thread, static_cast<std::uint32_t>(number), type);
  // A narrow type in a wider register.
  if (value.problem.empty()) value.bytes.resize(type->size);
  return value;
}

Value value_at(const Thread& thread, const Type* type, const VariablePlace& place) {
  const Storage at = storage_of(thread.launch(), *thread.frame->program, place);
  switch (at.kind) {
    case Storage::Kind::reg:
      return value_in_register(thread, type, at.number);
    case Storage::Kind::parameter: {
      const auto& all = thread.launch().parameters;
      if (at.number + type->size > all.size()) break;
      return from_bytes(type, all.data() + at.number, type->size);
    }
    case Storage::Kind::local:
      return in_memory(type, ptx::Space::local, thread.frame->local_base + at.number);
    case Storage::Kind::shared:
      return in_memory(type, ptx::Space::shared, at.number);
    case Storage::Kind::global:
      return in_memory(type, ptx::Space::global, at.number);
    case Storage::Kind::none:
      break;
  }
  return problem(type, "optimized out");
}

Value value_of(const Thread& thread, const DebugVariable& variable, std::uint32_t at) {
  const VariablePlace* const place = variable.at(at);
  if (place == nullptr) return problem(variable.type, "optimized out");
  if (place->kind == VariablePlace::Kind::unknown) {
    return problem(variable.type, "in a place that is not understood");
  }
  return value_at(thread, variable.type, *place);
}

bool is_shared(const Value& value) {
  return value.in_memory && value.space == ptx::Space::shared;
}

/// Variables of the debug information that exist at the thread's place.
std::vector<Named> variables(const DebugInfo& info, const Thread& thread, bool are_parameters) {
  std::vector<Named> result;
  const Program& program = *thread.frame->program;
  const std::uint32_t at = text_place(program, thread.at->index);
  for (const DebugVariable& variable : info.variables(function_index(program))) {
    if (variable.is_parameter != are_parameters || at < variable.begin || at >= variable.end) {
      continue;
    }
    result.push_back({variable.name, value_of(thread, variable, at)});
  }
  return result;
}

}  // namespace

std::vector<Named> locals(Names names, const Thread& thread) {
  std::vector<Named> result = variables(names.info, thread, false);
  std::erase_if(result, [](const Named& named) { return is_shared(named.value); });
  return result;
}

std::vector<Named> parameters(Names names, const Thread& thread) {
  std::vector<Named> result = variables(names.info, thread, true);
  if (!result.empty()) return result;
  const Program& program = *thread.frame->program;
  const auto type_names = parameter_types(demangle(program.function->name));
  const auto& declared = program.function->parameters;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const std::uint64_t bytes = declared[i].size_bytes;
    const Type* type = i < type_names.size() ? sized(names.types, type_names[i], bytes)
                                             : type_of(names.types, declared[i].type);
    const VariablePlace place{VariablePlace::Kind::symbol, std::string(declared[i].name), 0};
    result.push_back({fmt::format("arg{}", i), value_at(thread, type, place)});
  }
  return result;
}

std::vector<Named> shared_arrays(Names names, const Thread& thread) {
  std::vector<Named> result;
  const Type* element = usual_element(names.types, *thread.frame->program, ptx::Space::shared);
  const std::vector<Named> known = variables(names.info, thread, false);
  for (const SharedArray& array : thread.launch().shared_arrays) {
    if (array.name == kReservedSharedName || array.bytes == 0) continue;
    const auto same = std::ranges::find_if(known, [&](const Named& named) {
      return is_shared(named.value) && named.value.address == array.offset &&
             named.value.type->size == array.bytes;
    });
    const Type* type = same != known.end()
                           ? same->value.type
                           : names.types.array_of(element, array.bytes / element->size);
    result.push_back({array.name, in_memory(type, ptx::Space::shared, array.offset)});
  }
  return result;
}

std::vector<Named> built_ins(Types& types, const Thread& thread) {
  const LaunchState& launch = thread.launch();
  std::vector<Named> result;
  result.push_back({"threadIdx", triple(types, thread_index(thread))});
  result.push_back({"blockIdx", triple(types, thread.block().id)});
  result.push_back({"blockDim", triple(types, launch.block)});
  result.push_back({"gridDim", triple(types, launch.grid)});
  result.push_back({"warpSize", number(types, kWarpSize)});
  result.push_back({"lane", number(types, static_cast<std::uint32_t>(thread.lane))});
  result.push_back({"warp", number(types, thread.warp->warp.warp_index)});
  return result;
}

std::vector<Named> registers(Types& types, const Thread& thread) {
  std::vector<Named> result;
  const Program& program = *thread.frame->program;
  const auto& all = program.function->registers;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (i >= program.register_slots.size() || program.register_slots[i] < 0) continue;
    result.push_back(
        {std::string(all[i].name), read_register(thread, i, type_of(types, all[i].type))});
  }
  return result;
}

std::vector<Named> allocations(Types& types, const Thread& thread) {
  std::vector<Named> result;
  const Type* element = usual_element(types, *thread.frame->program, ptx::Space::global);
  for (const Extent& extent : thread.launch().extents) {
    const GlobalMemory::Allocation& allocation = *extent.allocation;
    // Texts of asserts and printf, and the system's own memory, are left out.
    const bool own = !allocation.name.starts_with('$') &&
                     !allocation.name.starts_with("__unnamed") && allocation.name != "grid barrier";
    if (!own || allocation.size < element->size) continue;
    const Type* type = types.array_of(element, allocation.size / element->size);
    result.push_back({allocation.name, in_memory(type, ptx::Space::global, allocation.base)});
  }
  return result;
}

std::optional<Value> find_named(Names names, const Thread& thread, std::string_view name) {
  Types& types = names.types;
  const auto in = [&](const std::vector<Named>& list) -> std::optional<Value> {
    // Variables of inner blocks come last, and hide others.
    const auto found = std::find_if(list.rbegin(), list.rend(),
                                    [&](const Named& named) { return named.name == name; });
    if (found == list.rend()) return std::nullopt;
    return found->value;
  };
  if (auto value = in(locals(names, thread))) return value;
  if (auto value = in(parameters(names, thread))) return value;
  if (auto value = in(shared_arrays(names, thread))) return value;
  if (auto value = in(built_ins(types, thread))) return value;
  const Program& program = *thread.frame->program;
  for (const DebugVariable& variable : names.info.globals()) {
    if (variable.name == name) return value_of(thread, variable, 0);
  }
  if (const Symbol* symbol = thread.launch().linker->resolve_symbol(*program.module, name)) {
    const Type* element = usual_element(types, program, ptx::Space::global);
    const std::uint64_t bytes = symbol->allocation->size;
    const Type* type =
        bytes <= element->size
            ? element
            : types.array_of(element, bytes / std::max<std::uint64_t>(element->size, 1));
    return in_memory(type, ptx::Space::global, symbol->allocation->base);
  }
  if (name.starts_with('%')) {
    const auto& all = program.function->registers;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name) return read_register(thread, i, type_of(types, all[i].type));
    }
  }
  return std::nullopt;
}

}  // namespace warpsim::debug
