#include "emulator/remote/message.h"

namespace warpsim::remote {

void Writer::bytes(std::span<const std::byte> more) {
  data_.insert(data_.end(), more.begin(), more.end());
}

}  // namespace warpsim::remote
