#include "harness/case/record.h"

#include "fuzz/input.h"

// What a worker, with a hostile submission inside, says about its run.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  const std::string nonce = "0123456789abcdef0123456789abcdef";
  const warpgrade::Record record = warpgrade::read_record(file.path(), nonce);
  fuzz::require(!record.complete() || fuzz::text_of(data, size).find(nonce) != std::string::npos);
  return 0;
}
