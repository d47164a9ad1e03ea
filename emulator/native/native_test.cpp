#include "emulator/native/native.h"

#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/device/card.h"
#include "emulator/machine/launch.h"

// Native code is not to be seen: random kernels give the same bits, findings and counters with and
// without it, whatever is checked and on any number of host threads.

namespace warpsim {
namespace {

constexpr std::uint32_t kWords = 4096;  // of the input
constexpr std::uint32_t kResults = 4;  // words that a thread stores
constexpr std::uint32_t kLines = 16384;  // bytes of an array of which warps store whole lines

/// Writes a kernel of runs that have emitters, with accesses of many shapes, between loops,
/// branches and instructions that are called.
class RandomKernel {
 public:
  /// @param races  blocks may store to the same places, too: what they read there depends on who
  ///   runs first
  explicit RandomKernel(std::uint32_t seed, bool races = true) : random_(seed), races_(races) {}

  [[nodiscard]] std::string text() {
    start();
    put("mov.u32 %round, {};\nROUND:", 2 + below(4));
    for (std::uint32_t i = 0; i < 2 + below(3); ++i) {
      statements(4 + below(24));
      if (below(2) == 0) put("bar.sync 0;");
      if (below(4) == 0) branch();
    }
    put("sub.u32 %round, %round, 1;\nsetp.ne.u32 %again, %round, 0;\n@%again bra ROUND;");
    finish();
    return ".version 8.8\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 lines)\n{\n"
           ".reg .b64 %in, %row, %far, %out, %line, %at, %w<4>, %wide<6>;\n"
           ".reg .b32 %thread, %round, %mine, %column, %half, %pair, %low, %next, %r<10>;\n"
           ".reg .f32 %f<8>;\n"
           ".reg .pred %again, %skips, %p<5>;\n.shared .align 16 .b8 shared[8192];\n" +
           body_ + "}\n";
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    body_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  std::string r() { return fmt::format("%r{}", below(10)); }
  std::string f() { return fmt::format("%f{}", below(8)); }
  std::string w() { return fmt::format("%wide{}", below(6)); }
  std::string p() { return fmt::format("%p{}", below(5)); }

  void start() {
    put("mov.u32 %thread, %tid.x;\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;");
    put("mad.lo.u32 %r2, %r0, %r1, %thread;");
    put("ld.param.u64 %in, [in];\nld.param.u64 %out, [out];");
    put("mul.wide.u32 %at, %r2, {};\nadd.u64 %out, %out, %at;", 4 * kResults);
    put("ld.param.u64 %line, [lines];\nmul.wide.u32 %at, %r2, 4;\nadd.u64 %line, %line, %at;");
    put("mul.wide.u32 %row, %thread, 4;\nadd.u64 %row, %row, %in;");
    put("and.b32 %r3, %thread, 15;\nmul.wide.u32 %far, %r3, {};\nadd.u64 %far, %far, %in;",
        below(2) == 0 ? 4 : 64);
    put("mov.u32 %r4, shared;\nshl.b32 %mine, %thread, {};\nadd.u32 %mine, %mine, %r4;",
        2 + below(3));
    put("shl.b32 %column, %r3, 2;\nadd.u32 %column, %column, %r4;");
    put("shr.u32 %half, %thread, 4;\nshl.b32 %half, %half, 6;\nadd.u32 %half, %half, %r4;");
    put("shl.b32 %pair, %thread, 4;\nadd.u32 %pair, %pair, %r4;");
    // Below all arrays without its offset, and the places of another thread.
    put("sub.u32 %low, %mine, 4096;\nxor.b32 %next, %thread, {};", 1 << below(7));
    put("shl.b32 %next, %next, 4;\nadd.u32 %next, %next, %r4;");
    for (std::uint32_t i = 5; i < 10; ++i) put("ld.global.u32 %r{}, [%row+{}];", i, 128 * i);
    for (std::uint32_t i = 0; i < 8; ++i) put("ld.global.f32 %f{}, [%row+{}];", i, 4 * i + 2048);
    for (std::uint32_t i = 0; i < 6; ++i) {
      put("mad.wide.{}32 %wide{}, %r{}, %r{}, %row;", below(2) == 0 ? "u" : "s", i, i, i + 4);
    }
    for (std::uint32_t i = 0; i < 5; ++i) put("setp.lt.s32 %p{}, %r{}, %r{};", i, i, i + 4);
    if (below(8) != 0) {
      put("st.shared.v4.u32 [%pair], {{%r5, %r6, %r7, %r8}};\nbar.sync 0;");
    }
  }

  void finish() {
    const std::uint32_t end = below(12);
    put("cvt.u32.u64 %r9, {};", w());
    put("selp.b32 %r8, %r8, %r7, {};", p());
    put("st.global.u32 [%out], {};\nst.global.f32 [%out+4], {};", r(), f());
    put("st.global.v2.u32 [%out+8], {{%r9, %r8}};");
    if (below(4) != 0) store_line();
    // Some kernels go out of bounds.
    if (end == 0) put("ld.global.u32 %r1, [%row+{}];", 4 * kWords - 64);
    if (end == 1) put("st.shared.u32 [%pair+8000], %r1;");
    put("ret;");
  }

  void statements(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t what = below(20);
      if (what < 6) {
        float_arithmetic();
      } else if (what < 12) {
        integer();
      } else if (what < 15) {
        wide();
      } else if (what < 19) {
        memory();
      } else {
        called();
      }
    }
  }

  void branch() {
    const std::uint32_t label = labels_++;
    // Lanes, whole warps, or all or none of a round.
    const std::uint32_t who = below(3);
    if (who == 1) put("setp.ge.u32 %skips, %thread, {};", 32 * below(6));
    if (who == 2) put("setp.gt.u32 %skips, %round, {};", below(4));
    put("@{}{} bra JOIN{};", below(2) == 0 ? "!" : "", who == 0 ? p() : "%skips", label);
    branches_ = true;
    statements(3 + below(6));
    branches_ = false;
    put("JOIN{}:", label);
  }

  void float_arithmetic() {
    switch (below(6)) {
      case 0:
        return put("add.f32 {}, {}, {};", f(), f(), f());
      case 1:
        return put("mul.f32 {}, {}, {};", f(), f(), f());
      case 2:
        return put("sub.f32 {}, {}, {};", f(), f(), f());
      case 3:
        return put("mov.b32 {}, {};", below(2) == 0 ? r() : f(), f());
      default:
        return put("fma.rn.f32 {}, {}, {}, {};", f(), f(), f(), f());
    }
  }

  void integer() {
    constexpr const char* kBinary[] = {"add.u32", "sub.s32", "mul.lo.s32", "min.s32", "max.u32",
                                       "min.u32", "max.s32", "and.b32",    "or.b32",  "xor.b32",
                                       "shl.b32", "shr.u32", "shr.s32"};
    constexpr const char* kOrders[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    switch (below(9)) {
      case 0:
        return put("mad.lo.s32 {}, {}, {}, {};", r(), r(), r(), r());
      case 1:
        return put("setp.{}.{}32 {}, {}, {};", kOrders[below(6)], below(2) == 0 ? "u" : "s", p(),
                   r(), below(2) == 0 ? r() : std::to_string(below(100)));
      case 2:
        return put("selp.b32 {}, {}, {}, {}{};", r(), r(), r(), "", p());
      case 3:
        return put("lop3.b32 {}, {}, {}, {}, {};", r(), r(), r(), r(), below(256));
      case 4:
        return put("setp.{}{}.f32 {}, {}, {};", kOrders[below(6)], below(2) == 0 ? "u" : "", p(),
                   f(), f());
      case 5:
        return put("{}.pred {}, {}, {};", below(2) == 0 ? "and" : "xor", p(), p(), p());
      case 6:
        return put("not.b32 {}, {};", r(), r());
      default:
        return put("{} {}, {}, {};", kBinary[below(13)], r(), r(),
                   below(3) == 0 ? std::to_string(below(40)) : r());
    }
  }

  void wide() {
    switch (below(9)) {
      case 0:
        return put("mul.wide.{}32 {}, {}, {};", below(2) == 0 ? "u" : "s", w(), r(), r());
      case 1:
        return put("mad.wide.s32 {}, {}, {}, {};", w(), r(), r(), w());
      case 2:
        return put("cvt.{0}64.{0}32 {1}, {2};", below(2) == 0 ? "u" : "s", w(), r());
      case 3:
        return put("cvt.u32.u64 {}, {};", r(), w());
      case 4:
        return put("{}.b64 {}, {}, {};", below(2) == 0 ? "xor" : "and", w(), w(), w());
      case 5:
        return put("{} {}, {}, {};", below(2) == 0 ? "shl.b64" : "shr.s64", w(), w(), below(70));
      case 6:
        return put("setp.{}.{}64 {}, {}, {};", below(2) == 0 ? "lt" : "ge",
                   below(2) == 0 ? "u" : "s", p(), w(), w());
      case 7:
        return put("mul.lo.s64 {}, {}, {};", w(), w(), w());
      default:
        return put("{} {}, {}, {};", below(2) == 0 ? "add.s64" : "sub.s64", w(), w(), w());
    }
  }

  void memory() {
    const std::uint32_t offset = 4 * below(64);
    constexpr const char* kShared[] = {"%mine", "%column", "%half", "%pair"};
    switch (below(20)) {
      case 0:
      case 1:
        return put("ld.global.f32 {}, [%row+{}];", f(), offset);
      case 2:
        return put("ld.global.u32 {}, [%in+{}];", r(), offset);
      case 3:
        return put("ld.global.u32 {}, [%far+{}];", r(), offset);
      case 4:
        // An index that the data decides.
        return put(
            "and.b32 %r9, {}, 255;\nmul.wide.u32 %w0, %r9, 4;\nadd.u64 %w0, %w0, %in;\n"
            "ld.global.u32 %r9, [%w0];",
            r());
      case 5:
        if (below(4) == 0) return put("ld.global.v4.u8 {{%r5, %r6, %r7, %r8}}, [%row+{}];", offset);
        return put("ld.global.v{}.u32 {{{}}}, [%in+{}];", 4, "%r5, %r6, %r7, %r8", 16 * below(64));
      case 6:
      case 7:
        return put("ld.shared.f32 {}, [{}+{}];", f(), kShared[below(4)], offset);
      case 8:
        return put("ld.shared.v2.u32 {{%r6, %r7}}, [%pair+8];");
      case 9:
        return put("ld.shared.u32 {}, [{}+{}];", r(), kShared[below(4)], offset);
      case 10:
      case 11:
        return put("st.shared.u32 [%mine], {};", r());
      case 12:
        return put("st.shared.f32 [{}+4], {};", below(4) == 0 ? "%next" : "%pair", f());
      case 13:
        return put("st.shared.u64 [{}+8], {};", below(4) == 0 ? "%next" : "%pair", w());
      case 14:
        if (below(2) == 0) return put("ld.shared.u32 {}, [%low+{}];", r(), 4096 + offset);
        return put("st.shared.u32 [%low+{}], {};", 4096 + offset, r());
      case 15:
        return put("st.global.{};", below(2) == 0 ? fmt::format("u32 [%out+4], {}", r())
                                                  : fmt::format("u64 [%out+8], {}", w()));
      case 16:
        return store_among_inputs();
      case 18:
        return store_vector();
      case 17:
        // Bytes of consecutive or other places, up to the end of the array.
        if (below(8) == 0) put("ld.global.u8 {}, [%in+{}];", r(), 4 * kWords - 1 - below(8));
        if (below(2) == 0) return put("ld.global.u8 {}, [%row+{}];", r(), below(512));
        put("mul.wide.u32 %w1, %thread, {};\nadd.u64 %w1, %w1, %in;",
            below(3) == 0 ? 4 + below(30) : below(4));
        return put("ld.global.u8 {}, [%w1+{}];", r(), below(512));
      default:
        if (!branches_) put("bar.sync 0;");
    }
  }

  void store_vector() {
    switch (below(5)) {
      case 0:
        return put("st.shared.v2.u32 [%pair+8], {{{}, {}}};", r(), r());
      case 1:
        return put("st.shared.v4.f32 [%pair], {{{}, {}, {}, {}}};", f(), f(), f(), f());
      case 2:
        return put("st.shared.v2.u64 [%pair], {{{}, {}}};", w(), w());
      case 3:
        return put("st.global.v4.u32 [%out], {{{}, {}, {}, {}}};", r(), r(), r(), r());
      default:
        // Of consecutive threads.
        put("shl.b32 %r9, %thread, 3;\nadd.u32 %r9, %r9, %r4;");
        return put("st.shared.v2.u32 [%r9], {{{}, {}}};", r(), r());
    }
  }

  /// Each thread to a place of its own in its block.
  void store_among_inputs() {
    if (!races_) return;
    const std::uint32_t offset = 128 * below(16);
    if (below(4) != 0) return put("st.global.u32 [%row+{}], {};", offset, r());
    put("st.global.f32 [%row+{}], {};\nld.global.f32 {}, [%row+{}];", offset, f(), f(), offset);
  }

  /// To lines that a warp mostly stores whole, and once.
  void store_line() {
    const bool is_float = below(2) == 0;
    put("st.global.{} [%line], {};", is_float ? "f32" : "u32", is_float ? f() : r());
    switch (below(5)) {
      case 0:
        return put("st.global.u32 [%line+{}], {};", kLines / 2, r());
      case 1:
        return put("ld.global.u32 {0}, [%line];\nst.global.u32 [%line+{1}], {0};", r(), kLines / 2);
      case 2:
        if (races_) put("st.global.u32 [%line+{}], {};", 128 * below(4), r());
        return;
      default:
        return;
    }
  }

  /// What has no emitter.
  void called() {
    switch (below(4)) {
      case 0:
        return put("@{} add.u32 {}, {}, {};", p(), r(), r(), r());
      case 1:
        return put("@!{} ld.shared.f32 {}, [%mine];", p(), f());
      case 2:
        return put("prmt.b32 {}, {}, {}, 0x4321;", r(), r(), r());
      default:
        return put("ex2.approx.f32 {}, {};", f(), f());
    }
  }

  std::mt19937 random_;
  bool races_;
  bool branches_ = false;  // some threads may not come here
  std::string body_;
  std::uint32_t labels_ = 0;
};

/// All that can be seen of a program's run.
struct Seen {
  std::vector<LaunchStatus> status;
  std::vector<std::byte> memory;
  std::vector<std::string> findings;
  std::vector<std::byte> counters;
  bool operator==(const Seen&) const = default;
};

/// Nothing but addresses is checked, and nothing counted.
constexpr CheckOptions kNone = {.bounds = true,
                                .unwritten = false,
                                .races = false,
                                .read_only = false,
                                .barriers = false,
                                .leaks = false,
                                .counters = false,
                                .cache = false};

CheckOptions counters(bool cache) {
  CheckOptions checks = kNone;
  checks.counters = true;
  checks.cache = cache;
  return checks;
}

CheckOptions races() {
  CheckOptions checks = kNone;
  checks.races = true;
  return checks;
}

CheckOptions uninitialized() {
  CheckOptions checks = kNone;
  checks.unwritten = true;
  return checks;
}

struct Way {
  CheckOptions checks;  // all
  std::uint32_t threads = 64;  // of a block
  unsigned host_threads = 1;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* const begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

Seen run(const std::string& ptx, std::uint32_t seed, const Way& way,
         std::shared_ptr<NativeCode> native) {
  GlobalMemory memory(std::uint64_t{1} << 26);
  FindingLog findings;
  MachineOptions options;
  options.checks = way.checks;
  options.host_threads = way.host_threads;
  options.by_instruction = true;
  options.native = std::move(native);
  Machine machine(default_card(), memory, findings, options, all_checkers());
  machine.load({.ptx = ptx, .origin = "random kernel"});
  constexpr std::uint32_t kBlocks = 6;
  std::mt19937 random(seed);
  auto* in = memory.allocate(std::size_t{kWords} * 4, GlobalMemory::Kind::device, "in");
  for (std::uint32_t i = 0; i < kWords; ++i) {
    // Infinities and subnormals, too, and small numbers.
    auto word = static_cast<std::uint32_t>(random());
    if (i % 3 == 0) word = 0x3f800000 + (word & 0xffffff);
    if (i % 7 == 0) word &= 0x807fffff;
    std::memcpy(in->host + std::size_t{i} * 4, &word, 4);
  }
  memory.mark_written(*in, in->base, in->size);
  const std::size_t bytes = std::size_t{kBlocks} * way.threads * kResults * 4;
  auto* out = memory.allocate(bytes + 256, GlobalMemory::Kind::device, "out");
  std::memset(out->host, 0, out->size);
  auto* lines = memory.allocate(kLines, GlobalMemory::Kind::device, "lines");
  std::memset(lines->host, 0, lines->size);
  const std::uint64_t addresses[] = {in->base, out->base, lines->base};
  const void* arguments[] = {&addresses[0], &addresses[1], &addresses[2]};
  LaunchRequest request;
  request.kernel = machine.find_kernel("k");
  request.grid = {kBlocks, 1, 1};
  request.block = {way.threads, 1, 1};
  request.arguments = arguments;
  Seen seen;
  for (int launch = 0; launch < 3; ++launch) {
    const LaunchResult result = machine.launch(request);
    seen.status.push_back(result.status);
    append(seen.counters, result.modelled_ms);
  }
  seen.memory.assign(out->host, out->host + out->size);
  seen.memory.insert(seen.memory.end(), in->host, in->host + in->size);
  seen.memory.insert(seen.memory.end(), lines->host, lines->host + lines->size);
  for (const auto* stored : {out, lines}) {
    if (stored->all_written || stored->written == nullptr) continue;
    const auto* const shadow = reinterpret_cast<const std::byte*>(stored->written);
    seen.memory.insert(seen.memory.end(), shadow, shadow + stored->size);
  }
  for (const Finding& finding : findings.sorted()) seen.findings.push_back(render(finding));
  for (const KernelCounters& kernel : machine.counters()) {
    append(seen.counters, kernel.totals);
    append(seen.counters, kernel.caches);
    for (const InstructionCounters& one : kernel.instructions) append(seen.counters, one.totals);
  }
  return seen;
}

/// The compiler with which everything is compiled; null where there is none.
/// @param vector_bytes  as in NativeOptions
std::shared_ptr<NativeCode> eager(std::int32_t vector_bytes = 0) {
  return make_native_code({.threshold = 1, .patience = 64, .vector_bytes = vector_bytes});
}

std::uint32_t kernels() {
  const char* const wanted = std::getenv("WARPSIM_RANDOM_KERNELS");
  return wanted == nullptr ? 60 : static_cast<std::uint32_t>(std::atoi(wanted));
}

TEST_CASE("random kernels give the same bits, findings and counters as native code",
          "[machine][native]") {
  if (eager() == nullptr) SKIP("there is no native code here");
  const Way ways[] = {{.checks = kNone},
                      {.checks = counters(false)},
                      {.checks = counters(false), .threads = 80},
                      {},
                      {.checks = uninitialized(), .threads = 33},
                      {.checks = uninitialized(), .threads = 128},
                      {.checks = races(), .threads = 128},
                      {.checks = {}, .threads = 256},
                      {.checks = counters(true), .threads = 128}};
  for (std::uint32_t seed = 1; seed <= kernels(); ++seed) {
    const std::string ptx = RandomKernel(seed).text();
    const Way& way = ways[seed % std::size(ways)];
    INFO("seed " << seed << "\n" << ptx);
    const Seen interpreted = run(ptx, seed, way, nullptr);
    for (const std::int32_t vector_bytes : {32, 64}) {
      if (eager(vector_bytes) == nullptr) continue;  // the host has no such vectors
      INFO("vectors of " << vector_bytes << " bytes");
      const Seen compiled = run(ptx, seed, way, eager(vector_bytes));
      REQUIRE(compiled.status == interpreted.status);
      REQUIRE(compiled.findings == interpreted.findings);
      REQUIRE(compiled.memory == interpreted.memory);
      REQUIRE(compiled.counters == interpreted.counters);
    }
  }
}

TEST_CASE("native code gives the same on several host threads", "[machine][native]") {
  if (eager() == nullptr) SKIP("there is no native code here");
  for (std::uint32_t seed = 1000; seed < 1000 + kernels() / 4; ++seed) {
    const std::string ptx = RandomKernel(seed, false).text();
    INFO("seed " << seed << "\n" << ptx);
    const Seen interpreted = run(ptx, seed, {.checks = counters(false)}, nullptr);
    const Seen compiled = run(ptx, seed, {.checks = counters(false), .host_threads = 3}, eager());
    REQUIRE(compiled.status == interpreted.status);
    // How far other blocks come before a fault stops them is chance.
    if (interpreted.status.back() == LaunchStatus::ok) REQUIRE(compiled == interpreted);
  }
}

TEST_CASE("random kernels differ from each other", "[machine][native]") {
  CHECK(run(RandomKernel(1).text(), 1, {}, nullptr) != run(RandomKernel(2).text(), 1, {}, nullptr));
}

}  // namespace
}  // namespace warpsim
