#include "emulator/machine/texture_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/access.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/texture_count.h"

namespace warpsim {
namespace {

Geometry geometry_of(const Inst& in) {
  return static_cast<Geometry>(in.aux & kGeometryMask);
}

const VectorOperand& vector_of(const Inst& in) {
  return *static_cast<const VectorOperand*>(in.extra);
}

template <class T>
T coordinate(const Warp& warp, const Inst& in, std::size_t number, std::size_t lane) {
  return warp.reg<T>(vector_of(in).slots[kFirstCoordinate + number])[lane];
}

/// The objects of the active lanes. @returns lanes whose handle is not such an object
std::uint32_t find_objects(const Warp& warp, const Inst& in, bool want_texture,
                           const ImageObject** objects) {
  const ImageTable& images = *warp.context->block->launch->images;
  const auto* handles = warp.reg<std::uint64_t>(in.a);
  std::uint32_t bad = 0;
  for_lanes(warp.active, [&](std::size_t lane) {
    objects[lane] = images.find(handles[lane]);
    const bool fits =
        objects[lane] != nullptr && objects[lane]->sampler.has_value() == want_texture;
    if (!fits) bad |= 1u << lane;
  });
  return bad;
}

const Inst* refuse_handle(Warp& warp, const Inst& in, std::uint32_t lanes, bool want_texture) {
  const WarpContext& context = *warp.context;
  const std::uint64_t handle =
      warp.reg<std::uint64_t>(in.a)[static_cast<std::size_t>(std::countr_zero(lanes))];
  const ImageObject* other = context.block->launch->images->find(handle);
  const char* what = want_texture ? "texture" : "surface";
  Finding f =
      finding_at(context, in, lanes,
                 want_texture ? FindingKind::invalid_texture : FindingKind::invalid_surface);
  f.message = fmt::format("the kernel uses an invalid {} object", what);
  f.got = other != nullptr ? fmt::format("a {} object", want_texture ? "surface" : "texture")
                           : fmt::format("handle {:#x}, destroyed or never made", handle);
  f.want = fmt::format("a handle from cuda{}Object that is not destroyed yet",
                       want_texture ? "CreateTexture" : "CreateSurface");
  f.next = "Pass the object to the kernel by value, and destroy it after the kernel has ended.";
  log(context, std::move(f));
  return abort_launch(warp, in, LaunchStatus::illegal_address);
}

/// Reads one texel in each of `lanes` and gives its bytes to `use(lane, bytes)`.
/// @returns true when a card would have stopped
template <class Use>
bool read_taps(Warp& warp, const Inst& in, std::uint32_t lanes, std::uint32_t width, Located& at,
               Use use) {
  WarpContext& context = *warp.context;
  const std::uint32_t all = warp.active;
  warp.active = lanes;
  // Texels are global memory like any other.
  settle_access(context, {.in = in, .type = AccessType::load, .width = width}, at);
  warp.active = all;
  for_lanes(lanes, [&](std::size_t lane) {
    use(lane, (at.lanes >> lane & 1) != 0 ? at.host[lane] : nullptr);
  });
  return at.fatal;
}

/// Lanes whose objects have texels of the same size, which one access can move.
std::uint32_t same_width(const ImageObject* const* objects, std::uint32_t lanes) {
  const std::uint32_t width = objects[std::countr_zero(lanes)]->image.format.bytes();
  std::uint32_t same = 0;
  for_lanes(lanes, [&](std::size_t lane) {
    if (objects[lane]->image.format.bytes() == width) same |= 1u << lane;
  });
  return same;
}

TexturePlace place_of(const Warp& warp, const Inst& in, std::size_t lane) {
  const Geometry geometry = geometry_of(in);
  TexturePlace place;
  place.integer = (in.aux & kIntegerCoordinates) != 0;
  std::size_t next = 0;
  if (is_layered(geometry)) place.layer = coordinate<std::uint32_t>(warp, in, next++, lane);
  for (std::size_t d = 0; d < static_cast<std::size_t>(spatial_dimensions(geometry)); ++d, ++next) {
    if (place.integer) {
      place.texel[d] = coordinate<std::int32_t>(warp, in, next, lane);
    } else {
      place.coordinates[d] = coordinate<float>(warp, in, next, lane);
    }
  }
  return place;
}

struct LaneTaps {
  std::array<Tap, kMaxTaps> taps;
  std::size_t count = 0;
};

/// Requests that a card makes of a warp's fetch: 8 lanes each along one dimension, 4 of more, as
/// ncu counted on an H200 (emulator/tests/counters/path_kernels_sm90.cu).
std::uint32_t requests_of(std::uint32_t lanes, Geometry geometry) {
  const std::uint32_t together = spatial_dimensions(geometry) == 1 ? 8 : 4;
  std::uint32_t requests = 0;
  for (std::uint32_t left = lanes; left != 0; ++requests) {
    const auto group = static_cast<std::uint32_t>(std::countr_zero(left)) / together * together;
    left &= ~(((1u << together) - 1) << group);
  }
  return requests;
}

/// Counts a fetch of all texels that its lanes read.
void count_taps(const Warp& warp, const Inst& in, const ImageObject* const* objects,
                const std::array<LaneTaps, kWarpSize>& lanes) {
  if (!warp.context->block->launch->options.checks.counters) return;
  std::array<Texel, kWarpSize * kMaxTaps> texels;
  std::size_t count = 0;
  for_lanes(warp.active, [&](std::size_t lane) {
    for (std::size_t t = 0; t < lanes[lane].count; ++t) {
      const std::uint64_t address = lanes[lane].taps[t].address;
      if (address != 0) texels[count++] = {address, objects[lane]->image.format.bytes()};
    }
  });
  count_texels(*warp.context, in, std::span(texels).first(count),
               requests_of(warp.active, geometry_of(in)));
}

/// Calls `use(lane, tap number, channels)` for each tap of each active lane.
/// @returns true when a card would have stopped
template <class Use>
bool visit_taps(Warp& warp, const Inst& in, const ImageObject* const* objects,
                const std::array<LaneTaps, kWarpSize>& lanes, Use use) {
  bool fatal = false;
  count_taps(warp, in, objects, lanes);
  for (std::size_t t = 0; t < kMaxTaps; ++t) {
    std::uint32_t inside = 0;
    Located at;
    std::fill(std::begin(at.address), std::end(at.address), 0);
    for_lanes(warp.active, [&](std::size_t lane) {
      if (t >= lanes[lane].count) return;
      at.address[lane] = lanes[lane].taps[t].address;
      if (at.address[lane] != 0) {
        inside |= 1u << lane;
      } else {
        use(lane, t, read_texel(*objects[lane], nullptr));
      }
    });
    while (inside != 0) {
      const std::uint32_t part = same_width(objects, inside);
      inside &= ~part;
      const std::uint32_t width = objects[std::countr_zero(part)]->image.format.bytes();
      const auto read = [&](std::size_t lane, const std::byte* bytes) {
        use(lane, t, read_texel(*objects[lane], bytes));
      };
      fatal = read_taps(warp, in, part, width, at, read) || fatal;
    }
  }
  return fatal;
}

/// An access to a surface by one lane.
struct SurfacePlace {
  std::uint64_t address = 0;
  bool inside = true;
};

/// @param x  in bytes; the others in rows and slices or layers
SurfacePlace surface_place(const Image& image, Geometry geometry, SurfaceOutside mode,
                           std::uint32_t width, std::array<std::int32_t, 3> at,
                           std::int32_t layer) {
  const std::int64_t sizes[3] = {std::int64_t{image.width} * image.format.bytes() - width + 1,
                                 image.height, image.depth};
  SurfacePlace place;
  std::array<std::int64_t, 3> settled = {};
  const auto dimensions = static_cast<std::size_t>(spatial_dimensions(geometry));
  for (std::size_t d = 0; d < dimensions; ++d) {
    settled[d] = at[d];
    if (settled[d] >= 0 && settled[d] < sizes[d]) continue;
    if (mode == SurfaceOutside::clamp && sizes[d] > 0) {
      settled[d] = std::clamp<std::int64_t>(settled[d], 0, sizes[d] - 1);
    } else {
      place.inside = false;
    }
  }
  if (is_layered(geometry)) {
    settled[2] = layer;
    if (layer < 0 || layer >= sizes[2]) place.inside = false;
  }
  if (!place.inside) return place;
  place.address = image.address + static_cast<std::uint64_t>(settled[2]) * image.slice_pitch +
                  static_cast<std::uint64_t>(settled[1]) * image.row_pitch +
                  static_cast<std::uint64_t>(settled[0]);
  return place;
}

const Inst* refuse_outside(Warp& warp, const Inst& in, std::uint32_t lanes,
                           const ImageObject* const* objects, bool store) {
  const WarpContext& context = *warp.context;
  const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
  const Image& image = objects[lane]->image;
  Finding f = finding_at(context, in, lanes,
                         store ? FindingKind::oob_surface_write : FindingKind::oob_surface_read);
  f.message =
      fmt::format("{}-byte surface {} outside the array", in.width, store ? "write" : "read");
  const Geometry geometry = geometry_of(in);
  const std::size_t first = is_layered(geometry) ? 1 : 0;
  f.got = fmt::format("x = {} (in bytes)", coordinate<std::int32_t>(warp, in, first, lane));
  if (spatial_dimensions(geometry) > 1) {
    f.got += fmt::format(", y = {}", coordinate<std::int32_t>(warp, in, first + 1, lane));
  }
  if (spatial_dimensions(geometry) > 2) {
    f.got += fmt::format(", z = {}", coordinate<std::int32_t>(warp, in, first + 2, lane));
  }
  if (is_layered(geometry)) {
    f.got += fmt::format(", layer {}", coordinate<std::int32_t>(warp, in, 0, lane));
  }
  f.want = fmt::format("inside {} bytes x {} rows x {}", image.width * image.format.bytes(),
                       image.height, image.depth);
  f.next = "The x of surface functions counts bytes: multiply the column by the element's size.";
  log(context, std::move(f));
  return abort_launch(warp, in, LaunchStatus::illegal_address);
}

/// Finds the bytes of each active lane's access. @returns null, or where to go on after a fault
const Inst* locate_surface(Warp& warp, const Inst& in, AccessType type, Located& at) {
  WarpContext& context = *warp.context;
  const ImageObject* objects[kWarpSize] = {};
  if (const std::uint32_t bad = find_objects(warp, in, false, objects)) {
    return refuse_handle(warp, in, bad, false);
  }
  const Geometry geometry = geometry_of(in);
  const auto mode = static_cast<SurfaceOutside>(in.aux >> kOutsideShift);
  std::uint32_t outside = 0;
  std::fill(std::begin(at.address), std::end(at.address), 0);
  for_lanes(warp.active, [&](std::size_t lane) {
    std::array<std::int32_t, 3> place = {};
    std::size_t next = 0;
    std::int32_t layer = 0;
    if (is_layered(geometry)) layer = coordinate<std::int32_t>(warp, in, next++, lane);
    const auto dimensions = static_cast<std::size_t>(spatial_dimensions(geometry));
    for (std::size_t d = 0; d < dimensions; ++d) {
      place[d] = coordinate<std::int32_t>(warp, in, next++, lane);
    }
    const SurfacePlace found =
        surface_place(objects[lane]->image, geometry, mode, in.width, place, layer);
    at.address[lane] = found.address;
    if (!found.inside) outside |= 1u << lane;
  });
  if (outside != 0 && mode == SurfaceOutside::trap) {
    return refuse_outside(warp, in, outside, objects, type == AccessType::store);
  }
  const std::uint32_t all = warp.active;
  warp.active = all & ~outside;
  at.lanes = 0;
  if (warp.active != 0) {
    if (check_alignment(context, in, at.address, in.width, "surface")) {
      warp.active = all;
      return abort_launch(warp, in, LaunchStatus::misaligned);
    }
    settle_access(context, {.in = in, .type = type, .width = in.width}, at);
  }
  warp.active = all;
  return at.fatal ? abort_launch(warp, in, LaunchStatus::illegal_address) : nullptr;
}

std::byte* register_bytes(const Warp& warp, const Inst& in, std::size_t element, std::size_t lane) {
  return warp.regs + vector_of(in).slots[element] + lane * in.aux2;
}

}  // namespace

const Inst* fetch_texture(Warp& warp, const Inst& in) {
  const ImageObject* objects[kWarpSize] = {};
  if (const std::uint32_t bad = find_objects(warp, in, true, objects)) {
    return refuse_handle(warp, in, bad, true);
  }
  std::array<LaneTaps, kWarpSize> taps;
  std::array<std::array<Channel, 4>, kWarpSize> sums;
  for_lanes(warp.active, [&](std::size_t lane) {
    LaneTaps& mine = taps[lane];
    mine.count = find_taps(*objects[lane], geometry_of(in), place_of(warp, in, lane), mine.taps);
    for (Channel& channel : sums[lane]) channel.bits = 0;
  });
  const auto add = [&](std::size_t lane, std::size_t tap, const std::array<Channel, 4>& texel) {
    for (std::size_t c = 0; c < 4; ++c) {
      if (taps[lane].count == 1) {
        sums[lane][c] = texel[c];
      } else {
        sums[lane][c].value += taps[lane].taps[tap].weight * texel[c].value;
      }
    }
  };
  const bool fatal = visit_taps(warp, in, objects, taps, add);
  for (std::size_t c = 0; c < 4; ++c) {
    auto* d = warp.reg<std::uint32_t>(vector_of(in).slots[c]);
    for_lanes(warp.active, [&](std::size_t lane) { d[lane] = sums[lane][c].bits; });
  }
  return fatal ? abort_launch(warp, in, LaunchStatus::illegal_address) : &in + 1;
}

const Inst* gather_texture(Warp& warp, const Inst& in) {
  const ImageObject* objects[kWarpSize] = {};
  if (const std::uint32_t bad = find_objects(warp, in, true, objects)) {
    return refuse_handle(warp, in, bad, true);
  }
  std::array<LaneTaps, kWarpSize> taps;
  for_lanes(warp.active, [&](std::size_t lane) {
    taps[lane].count = 4;
    find_gather_taps(*objects[lane], place_of(warp, in, lane), taps[lane].taps);
  });
  const bool fatal =
      visit_taps(warp, in, objects, taps,
                 [&](std::size_t lane, std::size_t tap, const std::array<Channel, 4>& texel) {
                   warp.reg<std::uint32_t>(vector_of(in).slots[tap])[lane] = texel[in.aux2].bits;
                 });
  return fatal ? abort_launch(warp, in, LaunchStatus::illegal_address) : &in + 1;
}

const Inst* load_surface(Warp& warp, const Inst& in) {
  Located at;
  if (const Inst* next = locate_surface(warp, in, AccessType::load, at)) return next;
  const VectorOperand& operands = vector_of(in);
  const std::size_t bytes = in.width / operands.count;
  for (std::size_t k = 0; k < operands.count; ++k) {
    for_lanes(warp.active, [&](std::size_t lane) {
      std::byte* d = register_bytes(warp, in, k, lane);
      std::memset(d, 0, in.aux2);
      if ((at.lanes >> lane & 1) != 0) std::memcpy(d, at.host[lane] + k * bytes, bytes);
    });
  }
  return &in + 1;
}

const Inst* store_surface(Warp& warp, const Inst& in) {
  Located at;
  if (const Inst* next = locate_surface(warp, in, AccessType::store, at)) return next;
  const VectorOperand& operands = vector_of(in);
  const std::size_t bytes = in.width / operands.count;
  for (std::size_t k = 0; k < operands.count; ++k) {
    for_lanes(at.lanes, [&](std::size_t lane) {
      std::memcpy(at.host[lane] + k * bytes, register_bytes(warp, in, k, lane), bytes);
    });
  }
  return &in + 1;
}

}  // namespace warpsim
