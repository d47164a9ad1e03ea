#include "emulator/machine/texture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "emulator/machine/small_float.h"

namespace warpsim {
namespace {

using Outside = Sampler::Outside;

constexpr std::int64_t kFractionBits = 8;
constexpr std::int64_t kOne = std::int64_t{1} << kFractionBits;
/// Beyond this every place is outside; keeps conversions to integers defined.
constexpr float kFarAway = 1e9F;

std::uint32_t extent(const Image& image, int dimension) {
  return dimension == 0 ? image.width : dimension == 1 ? image.height : image.depth;
}

/// The index of a texel in 0..size-1 by the addressing mode; nothing when it is the border.
std::optional<std::int64_t> settle(std::int64_t index, std::int64_t size, Outside mode) {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case Outside::wrap: {
      const std::int64_t rest = index % size;
      return rest < 0 ? rest + size : rest;
    }
    case Outside::mirror: {
      const std::int64_t period = 2 * size;
      const std::int64_t rest = (index % period + period) % period;
      return rest < size ? rest : period - 1 - rest;
    }
    case Outside::clamp:
      return std::clamp<std::int64_t>(index, 0, size - 1);
    case Outside::border:
      return std::nullopt;
  }
  return std::nullopt;
}

/// The mode that counts: wrapping and mirroring need normalised coordinates and are clamping
/// without them.
Outside mode_of(const Sampler& sampler, int dimension) {
  const Outside mode = sampler.outside[static_cast<std::size_t>(dimension)];
  const bool periodic = mode == Outside::wrap || mode == Outside::mirror;
  return periodic && !sampler.normalized_coordinates ? Outside::clamp : mode;
}

/// A coordinate in texels.
float in_texels(const Sampler& sampler, float coordinate, std::uint32_t size, Outside mode) {
  if (std::isnan(coordinate)) return 0;
  if (sampler.normalized_coordinates) {
    // Mirroring is settled by texels, not by places: measured on an H200, a place on the border
    // of two mirrored texels belongs to the one that lies further out.
    if (mode == Outside::wrap) coordinate -= std::floor(coordinate);
    if (mode == Outside::mirror) coordinate -= 2 * std::floor(coordinate / 2);
    coordinate *= static_cast<float>(size);
  }
  return std::clamp(coordinate, -kFarAway, kFarAway);
}

/// A texel next to a place along one dimension, and its weight.
struct Neighbour {
  std::optional<std::int64_t> index;
  float weight = 1;
};
struct Neighbours {
  std::array<Neighbour, 2> at;
  std::size_t count = 1;
};

/// A place between two texels.
struct Between {
  std::int64_t before = 0;  // the texel before it, which may be outside
  float share = 0;  // of the texel after it, in 1/256
};
Between between(float place) {
  const double shifted = (double{place} - 0.5) * kOne;
  const auto fixed = static_cast<std::int64_t>(std::floor(shifted + 0.5));
  return {fixed >> kFractionBits, static_cast<float>(fixed & (kOne - 1)) / kOne};
}

/// The texel before the place and the one after it.
Neighbours both_sides(float place, std::int64_t size, Outside mode) {
  const auto [before, share] = between(place);
  return {{{{settle(before, size, mode), 1 - share}, {settle(before + 1, size, mode), share}}}, 2};
}

Neighbours along(const ImageObject& texture, const TexturePlace& place, int dimension,
                 bool filter) {
  const Sampler& sampler = *texture.sampler;
  const std::int64_t size = extent(texture.image, dimension);
  const auto d = static_cast<std::size_t>(dimension);
  if (place.integer) {
    const Outside mode =
        texture.image.linear_memory ? Outside::border : mode_of(sampler, dimension);
    return {{{{settle(place.texel[d], size, mode), 1}, {}}}, 1};
  }
  const Outside mode = mode_of(sampler, dimension);
  const float at = in_texels(sampler, place.coordinates[d], extent(texture.image, dimension), mode);
  if (filter) return both_sides(at, size, mode);
  return {{{{settle(static_cast<std::int64_t>(std::floor(at)), size, mode), 1}, {}}}, 1};
}

std::uint64_t texel_address(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  return image.address + static_cast<std::uint64_t>(z) * image.slice_pitch +
         static_cast<std::uint64_t>(y) * image.row_pitch +
         static_cast<std::uint64_t>(x) * image.format.bytes();
}

float from_srgb(float c) {
  return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
}

Channel read_channel(const ImageObject& texture, const std::byte* bytes, std::size_t number) {
  const TexelFormat& format = texture.image.format;
  std::uint32_t raw = 0;
  std::memcpy(&raw, bytes + number * format.channel_bytes, format.channel_bytes);
  const unsigned bits = 8u * format.channel_bytes;
  Channel channel{.bits = raw};
  if (format.kind == TexelFormat::Kind::floating) {
    if (bits == 16) {
      const SmallFloat<5, 10> half{static_cast<std::uint16_t>(raw)};
      channel.value = static_cast<float>(half.value());
    }
    return channel;
  }
  const bool is_signed = format.kind == TexelFormat::Kind::signed_integer;
  if (is_signed) {
    raw = static_cast<std::uint32_t>(static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits));
    channel.bits = raw;
  }
  if (!reads_floats(texture)) return channel;
  const auto largest = static_cast<float>((1u << (bits - (is_signed ? 1 : 0))) - 1);
  const float number_value =
      is_signed ? static_cast<float>(static_cast<std::int32_t>(raw)) : static_cast<float>(raw);
  channel.value = std::max(number_value / largest, -1.0F);
  // Alpha is never encoded.
  if (texture.sampler->srgb && bits == 8 && number < 3) channel.value = from_srgb(channel.value);
  return channel;
}

}  // namespace

std::uint64_t ImageTable::add(ImageObject object) {
  objects_.push_back(std::make_unique<ImageObject>(std::move(object)));
  return objects_.size();
}

bool ImageTable::remove(std::uint64_t handle) {
  if (find(handle) == nullptr) return false;
  objects_[handle - 1].reset();
  return true;
}

const ImageObject* ImageTable::find(std::uint64_t handle) const {
  return handle - 1 < objects_.size() ? objects_[handle - 1].get() : nullptr;
}

std::vector<std::pair<std::uint64_t, ImageObject>> ImageTable::live() const {
  std::vector<std::pair<std::uint64_t, ImageObject>> objects;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i] != nullptr) objects.emplace_back(i + 1, *objects_[i]);
  }
  return objects;
}

void ImageTable::set(std::span<const std::pair<std::uint64_t, ImageObject>> objects) {
  clear();
  for (const auto& [handle, object] : objects) {
    objects_.resize(std::max<std::size_t>(objects_.size(), handle));
    objects_[handle - 1] = std::make_unique<ImageObject>(object);
  }
}

bool reads_floats(const ImageObject& texture) {
  const TexelFormat& format = texture.image.format;
  return format.kind == TexelFormat::Kind::floating ||
         (texture.sampler && texture.sampler->normalized_values && format.channel_bytes < 4);
}

CubePlace meet_cube(const std::array<float, 3>& direction) {
  const auto [x, y, z] = direction;
  const float by_x = std::fabs(x);
  const float by_y = std::fabs(y);
  const float by_z = std::fabs(z);
  // The face, the coordinates in it and their largest magnitude: the guide's table.
  std::uint32_t face = 0;
  float s = 0;
  float t = -y;
  float m = by_x;
  if (by_z >= by_x && by_z >= by_y) {
    face = std::signbit(z) ? 5 : 4;
    s = std::signbit(z) ? -x : x;
    m = by_z;
  } else if (by_y >= by_x) {
    face = std::signbit(y) ? 3 : 2;
    s = x;
    t = std::signbit(y) ? -z : z;
    m = by_y;
  } else {
    face = std::signbit(x) ? 1 : 0;
    s = std::signbit(x) ? z : -z;
  }
  return {.face = face, .at = {(s / m + 1) / 2, (t / m + 1) / 2}};
}

namespace {

/// From the cube's centre to a place in a face, both coordinates from -1 to 1: as meet_cube.
std::array<float, 3> direction_to(std::uint32_t face, float s, float t) {
  switch (face) {
    case 0:
      return {1, -t, -s};
    case 1:
      return {-1, -t, s};
    case 2:
      return {s, 1, t};
    case 3:
      return {s, -1, -t};
    case 4:
      return {s, -t, 1};
    default:
      return {-s, -t, -1};
  }
}

struct CubeTexel {
  std::uint32_t face = 0;
  std::array<std::int64_t, 2> at = {};
};

/// A texel of a face, or of the face next to it, at most one texel away. Nothing beyond a corner.
std::optional<CubeTexel> settle_on_cube(const CubeTexel& texel, std::int64_t size) {
  std::array<float, 2> place = {};
  int outside = 0;
  for (std::size_t d = 0; d < 2; ++d) {
    const std::int64_t at = texel.at[d];
    if (at >= 0 && at < size) {
      place[d] = static_cast<float>(2 * at + 1) / static_cast<float>(size) - 1;
      continue;
    }
    ++outside;
    const float beyond = 1 + 1e-3F / static_cast<float>(size);  // just past the edge
    place[d] = at < 0 ? -beyond : beyond;
  }
  if (outside == 0) return texel;
  if (outside == 2) return std::nullopt;
  const CubePlace met = meet_cube(direction_to(texel.face, place[0], place[1]));
  CubeTexel found = {.face = met.face};
  for (std::size_t d = 0; d < 2; ++d) {
    const auto at = static_cast<std::int64_t>(met.at[d] * static_cast<float>(size));
    found.at[d] = std::clamp<std::int64_t>(at, 0, size - 1);
  }
  return found;
}

/// The four texels around a place of a seamless cube. @param first  the layer of its first face
std::size_t find_cube_taps(const Image& image, const CubePlace& met, std::uint32_t first,
                           std::span<Tap> taps) {
  const auto size = std::int64_t{image.width};
  const Between x = between(met.at[0] * static_cast<float>(size));
  const Between y = between(met.at[1] * static_cast<float>(size));
  std::size_t count = 0;
  float missing = 0;
  for (std::int64_t below = 0; below < 2; ++below) {
    for (std::int64_t right = 0; right < 2; ++right) {
      const float weight =
          (right != 0 ? x.share : 1 - x.share) * (below != 0 ? y.share : 1 - y.share);
      const auto texel =
          settle_on_cube({.face = met.face, .at = {x.before + right, y.before + below}}, size);
      if (!texel) {
        missing = weight;
        continue;
      }
      taps[count++] = {texel_address(image, texel->at[0], texel->at[1], first + texel->face),
                       weight};
    }
  }
  if (count == 3) {
    for (Tap& tap : taps.first(count)) tap.weight += missing / 3;
  }
  return count;
}

}  // namespace

std::size_t find_taps(const ImageObject& texture, Geometry geometry, const TexturePlace& place,
                      std::span<Tap> taps) {
  if (is_cube(geometry)) {
    const CubePlace met = meet_cube(place.coordinates);
    const std::uint32_t cubes = std::max(texture.image.depth / kCubeFaces, 1u);
    const std::uint32_t cube = std::min(place.layer, cubes - 1);
    ImageObject faces = texture;
    faces.sampler->normalized_coordinates = true;
    if (texture.sampler->seamless) {
      if (texture.sampler->linear && reads_floats(texture)) {
        return find_cube_taps(texture.image, met, cube * kCubeFaces, taps);
      }
      faces.sampler->outside.fill(Sampler::Outside::clamp);
    }
    return find_taps(
        faces, Geometry::a2d,
        {.coordinates = {met.at[0], met.at[1], 0}, .layer = cube * kCubeFaces + met.face}, taps);
  }
  const Image& image = texture.image;
  const int dimensions = spatial_dimensions(geometry);
  const bool filter = texture.sampler->linear && reads_floats(texture) && !image.linear_memory;
  std::array<Neighbours, 3> sides;
  for (int d = 0; d < 3; ++d) {
    if (d < dimensions) {
      sides[static_cast<std::size_t>(d)] = along(texture, place, d, filter);
    } else {
      sides[static_cast<std::size_t>(d)].at[0].index = 0;
    }
  }
  if (is_layered(geometry)) sides[2].at[0].index = std::min(place.layer, image.depth - 1);
  std::size_t count = 0;
  for (std::size_t z = 0; z < sides[2].count; ++z) {
    for (std::size_t y = 0; y < sides[1].count; ++y) {
      for (std::size_t x = 0; x < sides[0].count; ++x) {
        const Neighbour& at_x = sides[0].at[x];
        const Neighbour& at_y = sides[1].at[y];
        const Neighbour& at_z = sides[2].at[z];
        const bool inside = at_x.index && at_y.index && at_z.index;
        taps[count++] = {inside ? texel_address(image, *at_x.index, *at_y.index, *at_z.index) : 0,
                         at_x.weight * at_y.weight * at_z.weight};
      }
    }
  }
  return count;
}

void find_gather_taps(const ImageObject& texture, const TexturePlace& place, std::span<Tap> taps) {
  const Neighbours x = along(texture, place, 0, true);
  const Neighbours y = along(texture, place, 1, true);
  constexpr std::pair<int, int> kOrder[] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto at_x = x.at[static_cast<std::size_t>(kOrder[i].first)].index;
    const auto at_y = y.at[static_cast<std::size_t>(kOrder[i].second)].index;
    taps[i] = {at_x && at_y ? texel_address(texture.image, *at_x, *at_y, 0) : 0, 1};
  }
}

std::array<Channel, 4> read_texel(const ImageObject& texture, const std::byte* bytes) {
  const bool floats = reads_floats(texture);
  std::array<Channel, 4> channels;
  for (Channel& channel : channels) channel.bits = 0;
  if (floats) {
    channels[3].value = 1;
  } else {
    channels[3].bits = 1;
  }
  for (std::size_t i = 0; i < texture.image.format.channels; ++i) {
    if (bytes != nullptr) {
      channels[i] = read_channel(texture, bytes, i);
    } else if (texture.image.linear_memory) {
      channels[i].bits = 0;
    } else if (floats) {
      channels[i].value = texture.sampler->border[i];
    } else {
      channels[i].bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(
          std::clamp(texture.sampler->border[i], -2147483648.0F, 2147483520.0F)));
    }
  }
  return channels;
}

}  // namespace warpsim
