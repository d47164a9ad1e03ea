#include "harness/worker/lock_filter.h"

#include <link.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <initializer_list>

namespace warpgrade::worker {

namespace {

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;

// Places in the data that a filter sees; little endian.
constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr);
constexpr std::uint32_t low_word(unsigned argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument);
}
constexpr std::uint32_t high_word(unsigned argument) {
  return low_word(argument) + 4;
}

/// Writes instructions. Jumps count the instructions that they skip.
class Program {
 public:
  void load(std::uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void load_slot(std::uint32_t slot) { add(BPF_LD | BPF_MEM, slot); }
  void load_slot_into_x(std::uint32_t slot) { add(BPF_LDX | BPF_MEM, slot); }
  void store(std::uint32_t slot) { add(BPF_ST, slot); }
  void add_x() { add(BPF_ALU | BPF_ADD | BPF_X, 0); }
  void add_number(std::uint32_t number) { add(BPF_ALU | BPF_ADD | BPF_K, number); }
  void copy_to_x() { add(BPF_MISC | BPF_TAX, 0); }
  void skip(std::uint32_t count) { add(BPF_JMP | BPF_JA, count); }
  void end(std::uint32_t result) { add(BPF_RET | BPF_K, result); }
  /// @param how  BPF_JEQ, BPF_JGT, BPF_JGE or BPF_JSET
  void compare(std::uint16_t how, std::uint32_t number, std::uint8_t if_true,
               std::uint8_t if_false) {
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | how | BPF_K), if_true, if_false, number});
  }
  void compare_with_x(std::uint16_t how, std::uint8_t if_true, std::uint8_t if_false) {
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | how | BPF_X), if_true, if_false, 0});
  }
  /// Instructions for some system calls only; they must end the program.
  template <class Body>
  void for_calls(std::initializer_list<long> numbers, const Body& body) {
    for (const long number : numbers) {
      load(kNumber);
      compare(BPF_JEQ, static_cast<std::uint32_t>(number), 0, 1);
      skip(0);  // to the body, below
      jumps_.push_back(code_.size() - 1);
    }
    skip(0);  // past the body, below
    const std::size_t past = code_.size() - 1;
    for (const std::size_t jump : jumps_) set_target(jump);
    jumps_.clear();
    body();
    set_target(past);
  }
  [[nodiscard]] std::vector<sock_filter> take() { return std::move(code_); }

 private:
  void add(unsigned code, std::uint32_t number) {
    code_.push_back({static_cast<std::uint16_t>(code), 0, 0, number});
  }
  void set_target(std::size_t jump) {
    code_[jump].k = static_cast<std::uint32_t>(code_.size() - jump - 1);
  }

  std::vector<sock_filter> code_;
  std::vector<std::size_t> jumps_;
};

void allow_descriptors(Program& program, std::initializer_list<long> calls,
                       const std::vector<int>& descriptors) {
  program.for_calls(calls, [&] {
    program.load(low_word(0));
    for (const int descriptor : descriptors) {
      program.compare(BPF_JEQ, static_cast<std::uint32_t>(descriptor), 0, 1);
      program.end(kAllow);
    }
    program.end(kRefuse);
  });
}

std::uint32_t low(std::uint64_t number) {
  return static_cast<std::uint32_t>(number);
}
std::uint32_t high(std::uint64_t number) {
  return static_cast<std::uint32_t>(number >> 32U);
}

/// Refuses calls whose first two arguments, an address and a length, overlap one of the ranges.
void keep_ranges(Program& program, const std::vector<AddressRange>& ranges) {
  enum Slot : std::uint32_t { begin_high, begin_low, end_high, end_low };
  program.load(high_word(1));
  program.compare(BPF_JEQ, 0, 1, 0);
  program.end(kRefuse);  // 4 GiB or more: nothing here needs it
  program.load(high_word(0));
  program.store(begin_high);
  program.load(low_word(1));
  program.copy_to_x();
  program.load(low_word(0));
  program.store(begin_low);
  program.add_x();
  program.store(end_low);
  program.load_slot_into_x(begin_low);
  program.compare_with_x(BPF_JGE, 3, 0);
  program.load_slot(begin_high);
  program.add_number(1);  // the carry
  program.skip(1);
  program.load_slot(begin_high);
  program.store(end_high);
  for (const AddressRange& range : ranges) {
    // Next unless the call's begin < the range's end ...
    program.load_slot(begin_high);
    program.compare(BPF_JGT, high(range.end), 9, 0);
    program.compare(BPF_JEQ, high(range.end), 0, 2);
    program.load_slot(begin_low);
    program.compare(BPF_JGE, low(range.end), 6, 0);
    // ... and the call's end > the range's begin.
    program.load_slot(end_high);
    program.compare(BPF_JGT, high(range.begin), 3, 0);
    program.compare(BPF_JEQ, high(range.begin), 0, 3);
    program.load_slot(end_low);
    program.compare(BPF_JGT, low(range.begin), 0, 1);
    program.end(kRefuse);
  }
  program.end(kAllow);
}

void add_segments(const dl_phdr_info& object, std::vector<AddressRange>& ranges) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const auto& header = object.dlpi_phdr[i];
    const bool is_constant = header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0;
    const bool is_closed = header.p_type == PT_GNU_RELRO;
    if (!is_constant && !is_closed) continue;
    const std::uint64_t begin = object.dlpi_addr + header.p_vaddr;
    const std::uint64_t end = begin + header.p_memsz;
    // The loader closes whole pages of RELRO only.
    const std::uint64_t last = is_closed ? end : end + page - 1;
    ranges.push_back({begin / page * page, last / page * page});
  }
}

}  // namespace

std::vector<AddressRange> closed_mappings() {
  std::vector<AddressRange> all;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* ranges) {
        add_segments(*object, *static_cast<std::vector<AddressRange>*>(ranges));
        return 0;
      },
      &all);
  std::sort(all.begin(), all.end(),
            [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
  std::vector<AddressRange> joined;
  for (const AddressRange& range : all) {
    if (range.begin >= range.end) continue;
    if (!joined.empty() && range.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, range.end);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

std::vector<sock_filter> make_lock_filter(const LockLimits& limits) {
  Program program;
  allow_descriptors(program, {SYS_read, SYS_readv, SYS_pread64}, limits.readable);
  allow_descriptors(program, {SYS_write, SYS_writev}, limits.writable);
  allow_descriptors(program, {SYS_sendmsg, SYS_recvmsg}, limits.sockets);
  program.for_calls({SYS_mmap}, [&] {
    program.load(low_word(3));
    program.compare(BPF_JSET, MAP_FIXED, 1, 0);
    program.end(kAllow);
    keep_ranges(program, limits.kept);
  });
  program.for_calls({SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise},
                    [&] { keep_ranges(program, limits.kept); });
  program.end(kAllow);
  return program.take();
}

}  // namespace warpgrade::worker
