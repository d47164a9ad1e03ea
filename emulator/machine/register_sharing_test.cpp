#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/machine/launch.h"

// Registers that are never needed at the same time share a place (machine/liveness.h). An operand
// with a wrong role would make two values share that must not: random programs have to give the
// same bits with and without sharing.

namespace warpsim {
namespace {

constexpr std::uint32_t kSharingThreads = 64;
constexpr std::uint32_t kSharingBlocks = 2;
constexpr std::uint32_t kResults = 8;  // words a thread stores

/// Writes a kernel that no lane leaves early, whose loops end, and which reads no register and no
/// memory that it has not set. Each thread has words of local and of shared memory of its own.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] std::string text() {
    start();
    statements(12 + below(20));
    finish();
    std::string kernel =
        ".version 8.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .b64 %out, %at, %wide<6>;\n.reg .b32 %thread, %mine, %count<4>, %r<24>;\n"
        ".reg .b16 %h<6>;\n.reg .pred %end<4>, %p<6>;\n.local .align 16 .b8 local[64];\n"
        ".shared .align 16 .b8 shared[4096];\n";
    return kernel + body_ + "}\n";
  }

 private:
  /// What has been set on every way to here.
  struct Set {
    std::vector<bool> words = std::vector<bool>(24, false);
    std::vector<bool> wide = std::vector<bool>(6, false);
    std::vector<bool> halves = std::vector<bool>(6, false);
    std::vector<bool> predicates = std::vector<bool>(6, false);
  };

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    body_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  /// One that has been set.
  std::uint32_t from(const std::vector<bool>& set) {
    for (;;) {
      const std::uint32_t i = below(static_cast<std::uint32_t>(set.size()));
      if (set[i]) return i;
    }
  }
  std::string word() { return fmt::format("%r{}", from(set_.words)); }
  std::string wide() { return fmt::format("%wide{}", from(set_.wide)); }
  std::string half() { return fmt::format("%h{}", from(set_.halves)); }
  std::string predicate() { return fmt::format("%p{}", from(set_.predicates)); }
  std::string into(std::vector<bool>& set, const char* prefix) {
    const std::uint32_t i = below(static_cast<std::uint32_t>(set.size()));
    pending_.emplace_back(&set, i);
    return fmt::format("{}{}", prefix, i);
  }
  std::string new_word() { return into(set_.words, "%r"); }
  /// The destinations named since the last call have been set.
  void done() {
    for (const auto& [set, i] : pending_) (*set)[i] = true;
    pending_.clear();
  }

  void start() {
    put("mov.u32 %thread, %tid.x;");
    put("shl.b32 %mine, %thread, 4;");
    put("mov.u32 %r0, shared;\nadd.u32 %mine, %mine, %r0;");
    put("mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, {}, %thread;", kSharingThreads);
    put("ld.param.u64 %out, [p];\ncvta.to.global.u64 %out, %out;");
    put("mul.wide.u32 %at, %r2, {};\nadd.u64 %out, %out, %at;", 4 * kResults);
    put("mul.lo.u32 %r3, %r2, 0x9e3779b9;\nmov.b64 %wide0, {{%r3, %r2}};");
    put("setp.lt.u32 %p0, %r3, %r2;\ncvt.u16.u32 %h0, %r3;");
    for (const std::uint32_t i : {0u, 1u, 2u, 3u}) set_.words[i] = true;
    set_.wide[0] = set_.halves[0] = set_.predicates[0] = true;
    for (std::uint32_t i = 0; i < 4; ++i) {
      put("st.local.v4.u32 [local+{}], {{%r0, %r1, %r2, %r3}};", 16 * i);
    }
    put("st.shared.v4.u32 [%mine], {{%r3, %r2, %r1, %r3}};");
  }

  void finish() {
    for (std::uint32_t i = 0; i < kResults; ++i) {
      switch (below(4)) {
        case 0:
          put("cvt.u32.u64 %r0, {};", wide());
          set_.words[0] = true;
          put("st.global.u32 [%out+{}], %r0;", 4 * i);
          break;
        case 1:
          put("selp.b32 %r1, {}, {}, {};", word(), word(), predicate());
          set_.words[1] = true;
          put("st.global.u32 [%out+{}], %r1;", 4 * i);
          break;
        default:
          put("st.global.u32 [%out+{}], {};", 4 * i, word());
      }
    }
    put("ret;");
  }

  void statements(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t what = below(12);
      if (what == 0 && depth_ < 3) {
        branch();
      } else if (what == 1 && depth_ < 3) {
        loop();
      } else if (what == 2 && depth_ == 0) {
        collective();
      } else if (what < 5) {
        memory();
      } else {
        compute();
      }
    }
  }

  void branch() {
    const std::uint32_t label = labels_++;
    put("@{}{} bra ELSE{};", below(2) == 0 ? "!" : "", predicate(), label);
    const Set before = set_;
    ++depth_;
    statements(1 + below(5));
    put("bra JOIN{};\nELSE{}:", label, label);
    const Set then = std::exchange(set_, before);
    if (below(3) != 0) statements(1 + below(5));
    put("JOIN{}:", label);
    --depth_;
    meet(set_, then);
  }

  /// A loop whose lanes may leave it in different rounds.
  void loop() {
    const std::uint32_t label = labels_++;
    const std::uint32_t level = depth_++;
    if (below(2) == 0) {
      put("and.b32 %count{}, %thread, 3;", level);
    } else {
      put("mov.u32 %count{}, {};", level, below(3));
    }
    put("LOOP{}:", label);
    statements(1 + below(6));
    put("setp.eq.u32 %end{0}, %count{0}, 0;\nsub.u32 %count{0}, %count{0}, 1;", level);
    put("@!%end{} bra LOOP{};", level, label);
    --depth_;
  }

  static void meet(Set& into, const Set& other) {
    const auto both = [](std::vector<bool>& a, const std::vector<bool>& b) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] && b[i];
    };
    both(into.words, other.words);
    both(into.wide, other.wide);
    both(into.halves, other.halves);
    both(into.predicates, other.predicates);
  }

  void collective() {
    const std::string a = word(), b = word(), p = predicate();
    switch (below(4)) {
      case 0:
        put("shfl.sync.bfly.b32 {}|{}, {}, {}, 0x1f, 0xffffffff;", new_word(),
            into(set_.predicates, "%p"), a, 1 + below(16));
        break;
      case 1:
        put("vote.sync.ballot.b32 {}, {}, 0xffffffff;", new_word(), p);
        break;
      case 2:
        put("redux.sync.add.u32 {}, {}, 0xffffffff;", new_word(), a);
        break;
      default:
        put("bar.red.popc.u32 {}, 0, {};", new_word(), p);
    }
    done();
  }

  void memory() {
    const std::uint32_t offset = 4 * below(4);
    const std::string a = word(), b = word(), c = word(), d = word();
    switch (below(8)) {
      case 0:
        put("st.local.u32 [local+{}], {};", 4 * below(16), a);
        break;
      case 1:
        put("ld.local.u32 {}, [local+{}];", new_word(), 4 * below(16));
        break;
      case 2:
        put("st.shared.v4.u32 [%mine], {{{}, {}, {}, {}}};", a, b, c, d);
        break;
      case 3: {
        // Four different ones: the order in which a register gets two values is nobody's promise.
        const std::uint32_t first = below(21);
        put("ld.shared.v4.u32 {{%r{}, %r{}, %r{}, %r{}}}, [%mine];", first, first + 1, first + 2,
            first + 3);
        for (std::uint32_t i = 0; i < 4; ++i) set_.words[first + i] = true;
        break;
      }
      case 4:
        put("atom.shared.add.u32 {}, [%mine+{}], {};", new_word(), offset, a);
        break;
      case 5:
        put("atom.shared.cas.b32 {}, [%mine+{}], {}, {};", new_word(), offset, a, b);
        break;
      case 6:
        put("red.shared.xor.b32 [%mine+{}], {};", offset, a);
        break;
      default:
        put("atom.shared.exch.b32 {}, [%mine+{}], {};", new_word(), offset, a);
    }
    done();
  }

  void compute() {
    const std::string a = word(), b = word(), c = word(), w = wide(), h = half(), p = predicate();
    switch (below(18)) {
      case 0:
        put("add.u32 {}, {}, {};", new_word(), a, b);
        break;
      case 1:
        put("mad.lo.u32 {}, {}, {}, {};", new_word(), a, b, c);
        break;
      case 2:
        put("xor.b32 {}, {}, {};", new_word(), a, b);
        break;
      case 3:
        put("prmt.b32 {}, {}, {}, 0x{:04x};", new_word(), a, b, below(0x8000));
        break;
      case 4:
        put("selp.b32 {}, {}, {}, {};", new_word(), a, b, p);
        break;
      case 5:
        put("setp.lt.s32 {}, {}, {};", into(set_.predicates, "%p"), a, b);
        break;
      case 6:
        put("setp.le.u32 %p4|%p5, {}, {};", a, b);
        set_.predicates[4] = set_.predicates[5] = true;
        break;
      case 7: {
        // A guarded write keeps the old value in the other lanes.
        const std::string old = word();
        put("@{}{} sub.u32 {}, {}, {};", below(2) == 0 ? "!" : "", p, old, a, b);
        break;
      }
      case 8:
        put("mov.b64 {}, {{{}, {}}};", into(set_.wide, "%wide"), a, b);
        break;
      case 9: {
        const std::uint32_t first = below(23);
        put("mov.b64 {{%r{}, %r{}}}, {};", first, first + 1, w);
        set_.words[first] = set_.words[first + 1] = true;
        break;
      }
      case 10:
        put("mad.wide.u32 {}, {}, {}, {};", into(set_.wide, "%wide"), a, b, w);
        break;
      case 11:
        put("cvt.u16.u32 {}, {};", into(set_.halves, "%h"), a);
        break;
      case 12:
        put("mul.wide.u16 {}, {}, {};", new_word(), h, half());
        break;
      case 13:
        put("mov.u32 {}, {};", new_word(), a);
        break;
      case 14:
        put("vadd4.u32.u32.u32 {}, {}, {}, {};", new_word(), a, b, c);
        break;
      case 15:
        put("add.cc.u32 {}, {}, {};\naddc.u32 {}, {}, {};", new_word(), a, b, new_word(), c, c);
        break;
      case 16:
        put("and.pred {}, {}, {};", into(set_.predicates, "%p"), p, predicate());
        break;
      default:
        put("mov.u32 {}, {};", new_word(), random_() & 0xffff);
    }
    done();
  }

  std::mt19937 random_;
  std::string body_;
  Set set_;
  std::vector<std::pair<std::vector<bool>*, std::uint32_t>> pending_;
  std::uint32_t depth_ = 0, labels_ = 0;
};

struct Way {
  bool shares = true;
  std::uint64_t seed = 0;  // a seed keeps every instruction in its place
};

std::vector<std::uint32_t> results_of(const std::string& ptx, const Way& way) {
  GlobalMemory memory(std::uint64_t{1} << 24);
  FindingLog findings;
  MachineOptions options;
  options.shares_registers = way.shares;
  options.seed = way.seed;
  options.host_threads = 1;
  Machine machine(default_card(), memory, findings, options, all_checkers());
  machine.load({.ptx = ptx, .origin = "random kernel"});
  std::vector<std::uint32_t> words(std::size_t{kSharingThreads} * kSharingBlocks * kResults);
  GlobalMemory::Allocation* out =
      memory.allocate(words.size() * 4, GlobalMemory::Kind::device, "out");
  const std::uint64_t p = out->base;
  const void* arguments[] = {&p};
  LaunchRequest request;
  request.kernel = machine.find_kernel("k");
  request.grid = {kSharingBlocks, 1, 1};
  request.block = {kSharingThreads, 1, 1};
  request.arguments = arguments;
  const LaunchStatus status = machine.launch(request).status;
  for (const Finding& finding : findings.sorted()) UNSCOPED_INFO(render(finding));
  REQUIRE(status == LaunchStatus::ok);
  REQUIRE(findings.size() == 0);
  std::memcpy(words.data(), out->host, words.size() * 4);
  return words;
}

TEST_CASE("random programs give the same bits with and without shared register places",
          "[machine][liveness]") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const std::string ptx = RandomKernel(seed).text();
    INFO("seed " << seed << "\n" << ptx);
    const std::vector<std::uint32_t> apart = results_of(ptx, {.shares = false});
    REQUIRE(results_of(ptx, {.shares = true}) == apart);
    REQUIRE(results_of(ptx, {.shares = true, .seed = 1}) == apart);
  }
}

TEST_CASE("random programs differ from each other", "[machine][liveness]") {
  CHECK(results_of(RandomKernel(1).text(), {}) != results_of(RandomKernel(2).text(), {}));
}

}  // namespace
}  // namespace warpsim
