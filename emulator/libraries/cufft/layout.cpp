#include "emulator/libraries/cufft/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace warpsim::cufft {
namespace {

/// Complex elements of the innermost dimension of a transform whose other side is real: the others
/// are their conjugates.
std::int64_t half(std::int64_t size) {
  return size / 2 + 1;
}

Layout with_strides(std::vector<std::int64_t> counts, const std::vector<std::int64_t>& sizes,
                    std::int64_t innermost) {
  Layout layout;
  layout.strides.assign(counts.size(), innermost);
  for (std::size_t i = counts.size() - 1; i > 0; --i) {
    layout.strides[i - 1] = layout.strides[i] * sizes[i];
  }
  layout.distance = layout.strides[0] * sizes[0];
  layout.counts = std::move(counts);
  return layout;
}

Layout layout_of(const Shape& shape, const Embedding& embedding, bool is_complex, bool in_place) {
  const bool is_half = shape.has_real_side();
  std::vector<std::int64_t> counts = shape.sizes;
  if (is_half && is_complex) counts.back() = half(counts.back());
  Layout layout;
  if (shape.is_embedded()) {
    layout = with_strides(std::move(counts), embedding.sizes, embedding.stride);
    layout.distance = embedding.distance;
  } else {
    std::vector<std::int64_t> sizes = counts;
    if (is_half && !is_complex && in_place) sizes.back() = 2 * half(sizes.back());
    layout = with_strides(std::move(counts), sizes, 1);
  }
  layout.batch = shape.batch;
  return layout;
}

}  // namespace

bool has_complex_input(Type type) {
  return type != Type::r2c && type != Type::d2z;
}

bool has_complex_output(Type type) {
  return type != Type::c2r && type != Type::z2d;
}

bool is_double(Type type) {
  return type == Type::z2z || type == Type::d2z || type == Type::z2d;
}

std::int64_t Layout::extent() const {
  std::int64_t last = (batch - 1) * distance;
  for (std::size_t i = 0; i < counts.size(); ++i) last += (counts[i] - 1) * strides[i];
  return last + 1;
}

cudart::LibraryArgument::Pieces Layout::pieces(std::uint64_t bytes_of_element) const {
  using Loop = std::pair<std::int64_t, std::int64_t>;  // distance, count
  std::vector<Loop> loops = {{distance, batch}};
  for (std::size_t i = 0; i < counts.size(); ++i) loops.emplace_back(strides[i], counts[i]);
  std::erase_if(loops, [](const Loop& loop) { return loop.first == 0 || loop.second == 1; });
  std::sort(loops.begin(), loops.end());
  // Loops whose steps follow one another without a gap are one piece.
  std::int64_t length = 1;
  while (!loops.empty() && loops.front().first <= length) {
    length += loops.front().first * (loops.front().second - 1);
    loops.erase(loops.begin());
  }
  return [loops, length,
          bytes_of_element](const std::function<void(std::uint64_t, std::uint64_t)>& piece) {
    std::vector<std::int64_t> at(loops.size(), 0);
    for (std::int64_t offset = 0;;) {
      piece(static_cast<std::uint64_t>(offset) * bytes_of_element,
            static_cast<std::uint64_t>(length) * bytes_of_element);
      std::size_t i = 0;
      for (; i < loops.size(); ++i) {
        offset += loops[i].first;
        if (++at[i] < loops[i].second) break;
        offset -= loops[i].first * loops[i].second;
        at[i] = 0;
      }
      if (i == loops.size()) return;
    }
  };
}

std::int64_t Shape::elements() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

std::uint64_t Shape::work_bytes() const {
  const std::int64_t row = has_real_side() ? half(sizes.back()) : sizes.back();
  return static_cast<std::uint64_t>(elements() / sizes.back() * row * batch) *
         (is_double(type) ? 16 : 8);
}

Layout Shape::input_layout(bool in_place) const {
  return layout_of(*this, input, has_complex_input(type), in_place);
}

Layout Shape::output_layout(bool in_place) const {
  return layout_of(*this, output, has_complex_output(type), in_place);
}

std::string in_words(const Layout& layout, bool is_complex) {
  const std::string text = fmt::format("{} {} numbers", fmt::join(layout.counts, " x "),
                                       is_complex ? "complex" : "real");
  return layout.batch == 1 ? text : text + fmt::format(", batch of {}", layout.batch);
}

}  // namespace warpsim::cufft
