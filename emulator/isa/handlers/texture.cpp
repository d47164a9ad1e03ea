#include "emulator/machine/texture_access.h"

#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/machine/decoder.h"

// tex, tld4, suld and sust through texture and surface objects. What they do is in
// emulator/machine/texture_access.cpp, compiled once: a fetch is too much work for the host's SIMD
// level to matter.

namespace warpsim::WARPSIM_SIMD {
namespace {

VectorOperand& new_operands(Binder& b) {
  auto& vectors = decoder_of(b).program().vectors;
  vectors.push_back(std::make_unique<VectorOperand>());
  b.inst.extra = vectors.back().get();
  return *vectors.back();
}

/// Surfaces have no cubes: their faces are layers.
Geometry take_geometry(Binder& b, bool is_texture) {
  const int geometry = b.take_one_of({"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"});
  if (geometry < 0 || (!is_texture && is_cube(static_cast<Geometry>(geometry)))) {
    b.unsupported("geometry");
  }
  b.inst.aux = static_cast<u8>(geometry);
  return static_cast<Geometry>(geometry);
}

/// The handle and the coordinates of [object, {x, y, ...}].
void bind_place(Binder& b, std::size_t operand, Geometry geometry, Type coordinate,
                VectorOperand& operands) {
  const auto& address = b.operand(operand);
  if (address.reg == ptx::kNoIndex ||
      ptx::size_bytes(decoder_of(b).register_type(address.reg)) != 8) {
    b.unsupported("texture and surface references: use texture and surface objects");
  }
  b.inst.a = b.value_slot(address.reg);
  if (address.elements.size() != 1) b.unsupported("separate sampler");
  const auto& list = address.elements[0];
  const bool vector = list.kind == ptx::Operand::Kind::vector;
  const std::size_t given = vector ? list.elements.size() : 1;
  const std::size_t needed =
      static_cast<std::size_t>(spatial_dimensions(geometry)) + (is_layered(geometry) ? 1 : 0);
  if (given < needed) b.unsupported("too few coordinates");
  for (std::size_t i = 0; i < needed; ++i) {
    const bool layer = is_layered(geometry) && i == 0;
    operands.slots[kFirstCoordinate + static_cast<int>(i)] =
        b.src(vector ? list.elements[i] : list, layer ? Type::u32 : coordinate);
  }
}

/// Destination registers of a vector; what goes to `_` is written to a scratch place.
void bind_results(Binder& b, std::size_t operand, std::size_t count, Type type,
                  VectorOperand& operands) {
  const auto& value = b.operand(operand);
  const bool vector = value.kind == ptx::Operand::Kind::vector;
  if ((vector ? value.elements.size() : 1) != count) b.unsupported("vector of another length");
  operands.count = static_cast<std::uint32_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& element = vector ? value.elements[i] : value;
    operands.slots[i] = element.kind == ptx::Operand::Kind::sink
                            ? b.scratch(kWarpSize * ptx::size_bytes(type))
                            : b.src(element, type);
  }
}

Type take_result_type(Binder& b) {
  const Type type = b.take_type();
  if (type != Type::f32 && type != Type::u32 && type != Type::s32) unsupported_type(b, type);
  return type;
}

void bind_tex(Binder& b) {
  // No texture has more than one level, so that its choice makes no difference.
  const int level = b.take_one_of({"base", "level", "grad"});
  const Geometry geometry = take_geometry(b, true);
  if (!b.take("v4")) b.unsupported("vector length");
  const Type result = take_result_type(b);
  const Type coordinate = b.take_type();
  if (coordinate != Type::f32 && coordinate != Type::s32) unsupported_type(b, coordinate);
  if (coordinate == Type::s32 && is_cube(geometry)) unsupported_type(b, coordinate);
  if (coordinate == Type::s32) b.inst.aux |= kIntegerCoordinates;
  const std::size_t more[] = {0, 1, 2};
  require_operands(b, 2 + (level < 0 ? 0 : more[level]));
  VectorOperand& operands = new_operands(b);
  bind_results(b, 0, 4, result, operands);
  bind_place(b, 1, geometry, coordinate, operands);
  decoder_of(b).access(AccessKind::texture_load);
  b.inst.run = fetch_texture;
}

void bind_tld4(Binder& b) {
  const int channel = b.take_one_of({"r", "g", "b", "a"});
  if (channel < 0 || !b.take("2d") || !b.take("v4")) b.unsupported("geometry");
  const Type result = take_result_type(b);
  if (b.take_type() != Type::f32) b.unsupported("coordinates");
  require_operands(b, 2);
  b.inst.aux = static_cast<u8>(Geometry::d2);
  b.inst.aux2 = static_cast<u8>(channel);
  VectorOperand& operands = new_operands(b);
  bind_results(b, 0, 4, result, operands);
  bind_place(b, 1, Geometry::d2, Type::f32, operands);
  decoder_of(b).access(AccessKind::texture_load);
  b.inst.run = gather_texture;
}

/// The common part of suld.b and sust.b; `value` and `place` are the operands' numbers.
void bind_surface(Binder& b, std::size_t value, std::size_t place) {
  if (!b.take("b")) b.unsupported("formatted surface access");
  const Geometry geometry = take_geometry(b, false);
  b.take_one_of({"ca", "cg", "cs", "cv", "wb", "wt"});
  const std::size_t count = b.take("v4") ? 4 : b.take("v2") ? 2 : 1;
  const Type type = b.take_type();
  if (type != Type::b8 && type != Type::b16 && type != Type::b32 && type != Type::b64) {
    unsupported_type(b, type);
  }
  const int outside = b.take_one_of({"trap", "clamp", "zero"});
  if (outside < 0) b.unsupported("boundary mode");
  b.inst.aux |= static_cast<u8>(outside << kOutsideShift);
  require_operands(b, 2);
  VectorOperand& operands = new_operands(b);
  // Bytes live in 16-bit registers.
  const Type container = type == Type::b8 ? Type::b16 : type;
  b.inst.width = static_cast<u8>(count * ptx::size_bytes(type));
  b.inst.aux2 = static_cast<u8>(ptx::size_bytes(container));
  bind_results(b, value, count, container, operands);
  bind_place(b, place, geometry, Type::s32, operands);
}

void bind_suld(Binder& b) {
  bind_surface(b, 0, 1);
  b.inst.run = load_surface;
}

void bind_sust(Binder& b) {
  bind_surface(b, 1, 0);
  b.inst.run = store_surface;
}

}  // namespace

Family texture_family() {
  // A handle comes from the runtime library, so whole programs prove these forms.
  static constexpr Row rows[] = {
      {.name = "tex",
       .forms = "tex.{1d,2d,3d,a1d,a2d}.v4.{u32,s32,f32}.{s32,f32} d, [a, c]\n"
                "tex.{cube,acube}.v4.{u32,s32,f32}.f32 d, [a, c]\n"
                "tex.level.{1d,2d,3d,a1d,a2d,cube,acube}.v4.{u32,s32,f32}.f32 d, [a, c], lod\n"
                "tex.grad.{1d,2d,3d,a1d,a2d,cube,acube}.v4.{u32,s32,f32}.f32 d, [a, c], dx, dy",
       .bind = bind_tex,
       .does = semantics::kTextureLoad,
       .proven_by = "emulator/tests/cuda/textures.cu"},
      {.name = "tld4",
       .forms = "tld4.{r,g,b,a}.2d.v4.{u32,s32,f32}.f32 d, [a, c]",
       .bind = bind_tld4,
       .does = semantics::kTextureLoad,
       .proven_by = "emulator/tests/cuda/textures.cu"},
      {.name = "suld",
       .forms = "suld.b.{1d,2d,3d,a1d,a2d}{.v2,.v4}.{b8,b16,b32,b64}.{trap,clamp,zero} d, [a, c]",
       .bind = bind_suld,
       .does = semantics::kTextureLoad,
       .proven_by = "emulator/tests/cuda/surfaces.cu"},
      {.name = "sust",
       .forms = "sust.b.{1d,2d,3d,a1d,a2d}{.v2,.v4}.{b8,b16,b32,b64}.{trap,clamp,zero} [a, c], b",
       .bind = bind_sust,
       .does = semantics::kSurfaceStore,
       .proven_by = "emulator/tests/cuda/surfaces.cu"},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
