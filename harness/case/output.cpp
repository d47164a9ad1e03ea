#include "harness/case/output.h"

#include <algorithm>
#include <utility>

#include "harness/case/request.h"
#include "harness/case/untrusted_file.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

std::optional<Array> read_elements(const std::filesystem::path& file, const CallArgument& argument,
                                   const Parameter& parameter, std::vector<std::uint64_t> shape) {
  Array array(parameter.type, std::move(shape));
  if (argument.record == nullptr) {
    if (!read_untrusted_file(file, array.bytes)) return std::nullopt;
    return array;
  }
  std::vector<std::byte> bytes(array.count() * argument.element_bytes());
  if (!read_untrusted_file(file, bytes)) return std::nullopt;
  take_elements(argument, parameter, bytes, array);
  return array;
}

std::optional<Array> elements_in(std::span<const std::byte> bytes, const CallArgument& argument,
                                 const Parameter& parameter, std::vector<std::uint64_t> shape) {
  const std::uint64_t count = Array::count_of(shape);
  const std::size_t element =
      argument.record == nullptr ? size_of(parameter.type) : argument.element_bytes();
  if (bytes.size() != count * element) return std::nullopt;
  Array array;
  array.type = parameter.type;
  array.shape = std::move(shape);
  if (argument.record == nullptr) {
    array.bytes.assign(bytes.begin(), bytes.end());
  } else {
    array.bytes.resize(count * size_of(parameter.type));
    take_elements(argument, parameter, std::vector<std::byte>(bytes.begin(), bytes.end()), array);
  }
  return array;
}

std::optional<Array> read_output(const PreparedCase& prepared, const Parameter& parameter) {
  const Lab& lab = *prepared.data->lab;
  const CallArgument argument = argument_with(lab, parameter);
  std::vector<std::uint64_t> shape = shape_of(lab, parameter, prepared.data->spec->data.dims);
  if (!prepared.delivers()) {
    return read_elements(prepared.folder / output_file(argument.name), argument, parameter,
                         std::move(shape));
  }
  const std::vector<std::byte>* const bytes = prepared.delivered_bytes(argument.name);
  if (bytes == nullptr) return std::nullopt;
  return elements_in(*bytes, argument, parameter, std::move(shape));
}

}  // namespace warpgrade
