#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

// Textures and surfaces: images in global memory, and how coordinates become texels. Pure functions
// of numbers; texture_access.cpp applies them to a warp.

namespace warpsim {

struct TexelFormat {
  enum class Kind : std::uint8_t { unsigned_integer, signed_integer, floating };
  Kind kind = Kind::floating;
  std::uint8_t channels = 1;  // 1, 2 or 4
  std::uint8_t channel_bytes = 4;  // 1, 2 or 4; a floating channel has 2 or 4

  [[nodiscard]] std::uint32_t bytes() const { return std::uint32_t{channels} * channel_bytes; }
  bool operator==(const TexelFormat&) const = default;
};

/// An image of [depth, height, width] texels, or `depth` layers of one; a cube has six layers, and
/// a layered one six for each of its layers.
struct Image {
  std::uint64_t address = 0;  // device address of texel (0, 0, 0)
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint64_t row_pitch = 0;  // bytes
  std::uint64_t slice_pitch = 0;  // bytes
  TexelFormat format;
  bool linear_memory = false;  // no array: one row, and texels outside of it read as zero
};

struct Sampler {
  enum class Outside : std::uint8_t { wrap, clamp, mirror, border };  // as cudaTextureAddressMode
  std::array<Outside, 3> outside = {Outside::clamp, Outside::clamp, Outside::clamp};
  bool linear = false;  // interpolate; otherwise the texel that contains the place
  bool normalized_coordinates = false;  // 0..1 over the image
  bool normalized_values = false;  // integers of 8 or 16 bits read as 0..1 or -1..1
  bool srgb = false;  // 8-bit colours are sRGB
  bool seamless = false;  // of a cube: filters take texels of the neighbouring faces
  std::array<float, 4> border = {};
};

/// What a texture or surface handle stands for.
struct ImageObject {
  Image image;
  std::optional<Sampler> sampler;  // a texture's; surfaces have none
};

/// The handles that the runtime made. They are never used twice, so that a stale one is noticed.
class ImageTable {
 public:
  [[nodiscard]] std::uint64_t add(ImageObject object);
  /// @returns false for no live handle
  bool remove(std::uint64_t handle);
  /// Null for no live handle.
  [[nodiscard]] const ImageObject* find(std::uint64_t handle) const;
  [[nodiscard]] bool any_live() const {
    return std::ranges::any_of(objects_, [](const auto& object) { return object != nullptr; });
  }
  /// The live objects, by handle.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, ImageObject>> live() const;
  /// Makes these the live objects.
  void set(std::span<const std::pair<std::uint64_t, ImageObject>> objects);
  void clear() {
    for (auto& object : objects_) object.reset();
  }

 private:
  std::vector<std::unique_ptr<ImageObject>> objects_;  // handle 1 is the first
};

enum class Geometry : std::uint8_t { d1, d2, d3, a1d, a2d, cube, acube };
/// Coordinates beside the layer. Those of a cube are a direction.
[[nodiscard]] constexpr int spatial_dimensions(Geometry geometry) {
  constexpr int kDimensions[] = {1, 2, 3, 1, 2, 3, 3};
  return kDimensions[static_cast<int>(geometry)];
}
[[nodiscard]] constexpr bool is_layered(Geometry geometry) {
  return geometry == Geometry::a1d || geometry == Geometry::a2d || geometry == Geometry::acube;
}
[[nodiscard]] constexpr bool is_cube(Geometry geometry) {
  return geometry == Geometry::cube || geometry == Geometry::acube;
}
constexpr std::uint32_t kCubeFaces = 6;

/// Where a direction from a cube's centre meets it (CUDA Programming Guide, "Cubemap Textures").
struct CubePlace {
  std::uint32_t face = 0;  // +x, -x, +y, -y, +z, -z
  std::array<float, 2> at = {};  // on the face, 0..1
};
/// Of coordinates of equal magnitude z counts before y, and y before x, as in Direct3D.
[[nodiscard]] CubePlace meet_cube(const std::array<float, 3>& direction);

/// A texel that takes part in a fetch.
struct Tap {
  std::uint64_t address = 0;  // 0: outside the image, the border's colour counts
  float weight = 1;
};
constexpr std::size_t kMaxTaps = 8;

/// Where a fetch looks, in the image's own dimensions.
struct TexturePlace {
  std::array<float, 3> coordinates = {};  // for float coordinates
  std::array<std::int32_t, 3> texel = {};  // for integer ones: no filter, no normalisation
  bool integer = false;
  std::uint32_t layer = 0;
};

/// The texels that a fetch reads and their weights. Filtering is as documented: coordinates in
/// fixed point with 8 bits of fraction, so that weights are multiples of 1/256. At a corner of a
/// seamless cube, where three faces meet, the weight of the texel that is not there goes to the
/// other three in equal parts.
/// @param taps  at least kMaxTaps
/// @returns how many there are
std::size_t find_taps(const ImageObject& texture, Geometry geometry, const TexturePlace& place,
                      std::span<Tap> taps);
/// The four texels around a place for tld4, in its order: (0,1), (1,1), (1,0), (0,0).
void find_gather_taps(const ImageObject& texture, const TexturePlace& place, std::span<Tap> taps);

/// A texel's channels, or the border's when `bytes` is null: floats where the texture is read as
/// floats, integers as they are. Missing channels are 0, 0 and 1.
union Channel {
  float value;
  std::uint32_t bits;
};
[[nodiscard]] std::array<Channel, 4> read_texel(const ImageObject& texture, const std::byte* bytes);
/// True when fetches give floats, which only then can be filtered.
[[nodiscard]] bool reads_floats(const ImageObject& texture);

}  // namespace warpsim
