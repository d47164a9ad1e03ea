#include "emulator/cudart/fault_access.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>

namespace warpsim::cudart {
namespace {

TEST_CASE("64-bit Arm instructions that write memory are told from those that read it",
          "[cudart][unit]") {
  // Encodings as an assembler gives them.
  struct Instruction {
    std::uint32_t code;
    const char* text;
  };
  constexpr Instruction kStores[] = {
      {0xb9000001, "str w1, [x0]"},       {0xf8226801, "str x1, [x0, x2]"},
      {0x39000401, "strb w1, [x0, #1]"},  {0xf81f8c01, "str x1, [x0, #-8]!"},
      {0x3d800001, "str q1, [x0]"},       {0x3c9f0c01, "str q1, [x0, #-16]!"},
      {0xfd000001, "str d1, [x0]"},       {0xa9000801, "stp x1, x2, [x0]"},
      {0xad000801, "stp q1, q2, [x0]"},   {0x4c007801, "st1 {v1.4s}, [x0]"},
      {0x889ffc01, "stlr w1, [x0]"},      {0x88027c01, "stxr w2, w1, [x0]"},
      {0x88e1fc02, "casal w1, w2, [x0]"}, {0xb8e10002, "ldaddal w1, w2, [x0]"},
      {0xf8e18002, "swpal x1, x2, [x0]"},
  };
  constexpr Instruction kLoads[] = {
      {0xb9400001, "ldr w1, [x0]"},      {0xf8626801, "ldr x1, [x0, x2]"},
      {0x39400401, "ldrb w1, [x0, #1]"}, {0xf85f8c01, "ldr x1, [x0, #-8]!"},
      {0x3dc00001, "ldr q1, [x0]"},      {0x3cdf0c01, "ldr q1, [x0, #-16]!"},
      {0xfd400001, "ldr d1, [x0]"},      {0xa9400801, "ldp x1, x2, [x0]"},
      {0xad400801, "ldp q1, q2, [x0]"},  {0x4c407801, "ld1 {v1.4s}, [x0]"},
      {0x88dffc01, "ldar w1, [x0]"},     {0x885f7c01, "ldxr w1, [x0]"},
      {0xb9800001, "ldrsw x1, [x0]"},    {0x39c00001, "ldrsb w1, [x0]"},
      {0x58000041, "ldr x1, literal"},
  };
  for (const Instruction& store : kStores) {
    INFO(store.text);
    CHECK(is_arm64_store(store.code));
  }
  for (const Instruction& load : kLoads) {
    INFO(load.text);
    CHECK_FALSE(is_arm64_store(load.code));
  }
}

#if defined(__aarch64__)
TEST_CASE("the exception syndrome says whether a fault was a write", "[cudart][unit]") {
  // After another record, as behind the vector registers; the instruction itself is a load.
  constexpr std::uint32_t kLoad = 0xb9400001;
  const auto context = std::make_unique<ucontext_t>();
  context->uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(&kLoad);
  const _aarch64_ctx other = {.magic = FPSIMD_MAGIC, .size = sizeof(fpsimd_context)};
  std::memcpy(context->uc_mcontext.__reserved, &other, sizeof(other));
  esr_context record = {.head = {.magic = ESR_MAGIC, .size = sizeof(esr_context)}, .esr = 1U << 6};
  const auto write_record = [&] {
    std::memcpy(context->uc_mcontext.__reserved + other.size, &record, sizeof(record));
  };
  write_record();
  CHECK(fault_is_write(context.get()));
  record.esr = 0;
  write_record();
  CHECK_FALSE(fault_is_write(context.get()));
}
#endif

}  // namespace
}  // namespace warpsim::cudart
