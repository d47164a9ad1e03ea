#pragma once

#include "emulator/isa/warp.h"
#include "emulator/machine/texture.h"

// Texture and surface instructions on a warp. Operands are in the instruction's VectorOperand: the
// values in slots 0 to 3, the coordinates in slots 4 to 7; `a` is the handle.

namespace warpsim {

constexpr int kFirstCoordinate = 4;

/// Inst::aux of all of them: a Geometry, and flags.
constexpr std::uint8_t kGeometryMask = 7;
constexpr std::uint8_t kIntegerCoordinates = 8;  // tex
constexpr std::uint8_t kOutsideShift = 4;  // suld, sust: a SurfaceOutside

enum class SurfaceOutside : std::uint8_t { trap, clamp, zero };

/// tex: filtered fetch into four 32-bit registers.
const Inst* fetch_texture(Warp& warp, const Inst& in);
/// tld4: channel Inst::aux2 of the four texels around a place.
const Inst* gather_texture(Warp& warp, const Inst& in);
/// suld.b and sust.b: `width` bytes in VectorOperand::count elements, registers of `aux2` bytes.
const Inst* load_surface(Warp& warp, const Inst& in);
const Inst* store_surface(Warp& warp, const Inst& in);

}  // namespace warpsim
