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
  Array array(parameter.type, std::move(shape));
  const std::uint64_t size =
      argument.record == nullptr ? array.bytes.size() : array.count() * argument.element_bytes();
  if (bytes.size() != size) return std::nullopt;
  if (argument.record == nullptr) {
    std::ranges::copy(bytes, array.bytes.begin());
  } else {
    take_elements(argument, parameter, std::vector<std::byte>(bytes.begin(), bytes.end()), array);
  }
  return array;
}

std::optional<Array> read_output(const PreparedCase& prepared, const Parameter& parameter) {
  const Lab& lab = *prepared.data->lab;
  const CallArgument argument = argument_with(lab, parameter);
  return read_elements(prepared.folder / output_file(argument.name), argument, parameter,
                       shape_of(lab, parameter, prepared.data->spec->data.dims));
}

}  // namespace warpgrade
