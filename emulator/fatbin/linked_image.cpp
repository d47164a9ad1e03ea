#include "emulator/fatbin/linked_image.h"

#include <fmt/format.h>

#include <string_view>

#include "emulator/fatbin/container_layout.h"

namespace warpsim::fatbin {
namespace {

std::size_t padded(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

template <class T>
void put(std::string& image, const T& value) {
  image.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_padded(std::string& image, std::string_view text, std::size_t bytes) {
  image.append(text);
  image.append(bytes - text.size(), '\0');
}

void put_unit(std::string& image, const Image& unit, std::uint32_t registers) {
  struct Place {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  const std::string options =
      registers == 0 ? std::string() : fmt::format("-maxrregcount={}", registers);
  const std::size_t name_bytes = padded(unit.name.size());
  const std::size_t options_at = sizeof(EntryHeader) + name_bytes;
  const std::size_t options_bytes = padded(options.size());
  const std::size_t payload_bytes = padded(unit.ptx.size() + 1);
  EntryHeader header = {};
  header.kind = kKindLinkedPtx;
  header.header_bytes = static_cast<std::uint32_t>(options_at + sizeof(Place) + options_bytes);
  header.payload_bytes = payload_bytes;
  header.options_offset = static_cast<std::uint32_t>(options_at);
  header.architecture = unit.architecture;
  header.name_offset = sizeof(EntryHeader);
  header.name_bytes = static_cast<std::uint32_t>(unit.name.size());
  put(image, header);
  put_padded(image, unit.name, name_bytes);
  put(image, Place{.offset = static_cast<std::uint32_t>(options_at + sizeof(Place)),
                   .bytes = static_cast<std::uint32_t>(options.size())});
  put_padded(image, options, options_bytes);
  put_padded(image, unit.ptx, payload_bytes);
}

}  // namespace

std::string write_linked_image(std::span<const Image> units, std::uint32_t max_registers) {
  std::string body;
  for (const Image& unit : units) {
    put_unit(body, unit, max_registers != 0 ? max_registers : unit.max_registers);
  }
  std::string image;
  put(image, Header{.magic = kContainerMagic,
                    .version = kContainerVersion,
                    .header_bytes = sizeof(Header),
                    .body_bytes = body.size()});
  return image + body;
}

}  // namespace warpsim::fatbin
