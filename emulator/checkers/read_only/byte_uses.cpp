#include "emulator/checkers/read_only/byte_uses.h"

namespace warpsim {

std::optional<ByteUse> ByteUses::read(std::uint64_t address, std::uint64_t count, ByteUse reader) {
  std::optional<ByteUse> written;
  for (std::uint64_t end = address + count; address < end; ++address) {
    Page& page = pages_.make(address / kPageBytes);
    const std::uint64_t at = address % kPageBytes;
    if (page.writer[at] != 0 && !written) written = {page.writer[at], page.writer_site[at]};
    if (page.first_reader[at] == 0) {
      page.first_reader[at] = reader.thread;
      page.first_site[at] = reader.site;
    } else if (page.first_reader[at] != reader.thread && page.other_reader[at] == 0) {
      page.other_reader[at] = reader.thread;
      page.other_site[at] = reader.site;
    }
  }
  return written;
}

std::optional<ByteUse> ByteUses::write(std::uint64_t address, std::uint64_t count, ByteUse writer) {
  std::optional<ByteUse> read;
  for (std::uint64_t end = address + count; address < end; ++address) {
    Page& page = pages_.make(address / kPageBytes);
    const std::uint64_t at = address % kPageBytes;
    if (!read) {
      if (page.first_reader[at] != 0 && page.first_reader[at] != writer.thread) {
        read = {page.first_reader[at], page.first_site[at]};
      } else if (page.other_reader[at] != 0) {
        read = {page.other_reader[at], page.other_site[at]};
      }
    }
    page.writer[at] = writer.thread;
    page.writer_site[at] = writer.site;
  }
  return read;
}

}  // namespace warpsim
