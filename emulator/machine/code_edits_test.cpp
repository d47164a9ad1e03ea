#include "emulator/machine/code_edits.h"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/machine/launch.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kThreads = 32;
constexpr std::uint32_t kBlocks = 2;
constexpr std::uint32_t kWords = kThreads * kBlocks;
constexpr std::uint32_t kN = 40, kM = 7;  // parameters 1 and 2

using Words = std::vector<std::uint32_t>;

/// A kernel that stores %v of each thread. Its body is line 5 of k.cu; %t is the thread's number in
/// the grid, %a the address of its element of the input, in which element i is 10 * i.
class TestKernel {
 public:
  /// @param variables  before the kernel
  explicit TestKernel(const std::string& body, const std::string& variables = "")
      : machine_(default_card(), memory_, findings_, options(), all_checkers()) {
    const std::string text =
        ".version 8.8\n.target sm_80\n.address_size 64\n" + variables +
        ".visible .entry k(.param .u64 out, .param .u32 n, .param .u32 m, .param .u64 in)\n{\n"
        ".reg .b64 %out, %in, %wide, %a;\n.reg .b32 %t, %x, %b, %n, %m, %v, %f<4>;\n.reg .pred "
        "%q;\n"
        ".loc 1 3 1\nld.param.u64 %out, [out];\nld.param.u64 %in, [in];\nld.param.u32 %n, [n];\n"
        "ld.param.u32 %m, [m];\nmov.u32 %x, %tid.x;\nmov.u32 %b, %ctaid.x;\n"
        "mad.lo.u32 %t, %b, 32, %x;\nmul.wide.u32 %wide, %t, 4;\nadd.u64 %a, %in, %wide;\n"
        "add.u64 %out, %out, %wide;\n.loc 1 5 3\n" +
        body + "\n.loc 1 9 1\nst.global.u32 [%out], %v;\nret;\n}\n.file 1 \"src/k.cu\"\n";
    machine_.load({.ptx = text, .origin = "k"});
    out_ = memory_.allocate(kWords * 4, GlobalMemory::Kind::device, "out");
    in_ = memory_.allocate((kWords + 8) * 4, GlobalMemory::Kind::device, "in");
    for (std::uint32_t i = 0; i < kWords + 8; ++i) {
      const std::uint32_t value = 10 * i;
      std::memcpy(in_->host + 4 * i, &value, sizeof value);
    }
    memory_.mark_written(*in_, in_->base, in_->size);
    first_ = run();
    const Kernel* const launched = machine_.find_kernel("k");
    edits_ = std::make_unique<CodeEdits>(std::span(&launched, 1));
  }

  /// What it stores; nothing if it fails.
  Words run() {
    const std::uint64_t out = out_->base;
    const std::uint64_t in = in_->base;
    const void* arguments[] = {&out, &kN, &kM, &in};
    std::memset(out_->host, 0, out_->size);
    LaunchRequest request;
    request.kernel = machine_.find_kernel("k");
    request.grid = {kBlocks, 1, 1};
    request.block = {kThreads, 1, 1};
    request.arguments = arguments;
    request.unobserved = true;
    status_ = machine_.launch(request).status;
    if (status_ != LaunchStatus::ok) return {};
    Words words(kWords);
    std::memcpy(words.data(), out_->host, out_->size);
    return words;
  }

  CodeEdits& edits() { return *edits_; }
  [[nodiscard]] const Words& first() const { return first_; }
  [[nodiscard]] LaunchStatus status() const { return status_; }

 private:
  static MachineOptions options() {
    MachineOptions one_thread;
    one_thread.host_threads = 1;
    one_thread.instruction_budget = 4096;
    return one_thread;
  }

  GlobalMemory memory_{std::uint64_t{1} << 24};
  FindingLog findings_;
  Machine machine_;
  GlobalMemory::Allocation* out_ = nullptr;
  GlobalMemory::Allocation* in_ = nullptr;
  Words first_;
  LaunchStatus status_ = LaunchStatus::ok;
  std::unique_ptr<CodeEdits> edits_;
};

Words words(const std::function<std::uint32_t(std::uint32_t)>& value) {
  Words all;
  for (std::uint32_t i = 0; i < kWords; ++i) all.push_back(value(i));
  return all;
}

/// The edits of line 5 with which the kernel stores `want`.
std::vector<std::string> repairs(TestKernel& kernel, const Words& want) {
  std::vector<std::string> found;
  for (const CodeEdit& edit : kernel.edits().possible(600)) {
    if (edit.line != 5) continue;
    REQUIRE(kernel.edits().make(edit) > 0);
    if (kernel.run() == want) found.push_back(to_text(edit));
    kernel.edits().take_back();
  }
  return found;
}

struct Slip {
  const char* body;
  const char* edit;  // one that undoes it
  std::function<std::uint32_t(std::uint32_t)> want;
};

TEST_CASE("each kind of edit undoes its slip, and leaves nothing behind", "[machine][edits]") {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  const std::vector<Slip> slips = {
      {"setp.lt.u32 %q, %t, %n;\nselp.u32 %v, 1, 0, %q;", "setp.lt.u32/word/lt/le",
       [](std::uint32_t i) { return i <= kN ? 1u : 0u; }},
      {"add.u32 %v, %t, 1;", "add.u32/2/1/2", [](std::uint32_t i) { return i + 2; }},
      {"add.u32 %v, %t, %n;", "add.u32/word/add/sub", [](std::uint32_t i) { return i - kN; }},
      {"sub.u32 %v, %t, %n;", "sub.u32/order/order/1-2", [](std::uint32_t i) { return kN - i; }},
      {"mul.lo.u32 %v, %t, %n;", "mul.lo.u32/2/p1/p2", [](std::uint32_t i) { return i * kM; }},
      {"mul.lo.u32 %v, %t, %n;", "mul.lo.u32/2/p1/-1",
       [](std::uint32_t i) { return i * (kN - 1); }},
      {"add.s32 %v, %n, %t;", "add.s32/2/value/*4", [](std::uint32_t i) { return kN + 4 * i; }},
      {"mul.lo.s32 %v, %t, 8;", "mul.lo.s32/2/8/32", [](std::uint32_t i) { return 32 * i; }},
      {"max.u32 %v, %t, %n;", "max.u32/word/max/min",
       [](std::uint32_t i) { return i < kN ? i : kN; }},
      {"mov.u32 %v, %tid.x;", "mov.u32/1/tid.x/ctaid.x", [](std::uint32_t i) { return i / 32; }},
      {"mul.lo.u32 %v, %x, 3;", "mul.lo.u32/1/tid.x/ctaid.x",
       [](std::uint32_t i) { return i / 32 * 3; }},
      {"mov.b32 %v, 0f00000000;", "mov.b32/1/0/-inf", [](std::uint32_t) { return 0xff800000u; }},
      {"ld.global.u32 %v, [%a];", "ld.global.u32/1/address/+4",
       [](std::uint32_t i) { return 10 * (i + 1); }},
      {"mov.u32 %v, 5;\nsetp.eq.u32 %q, %t, 3;\n@%q mov.u32 %v, 6;", "mov.u32/guard/if/negated",
       [](std::uint32_t i) { return i == 3 ? 5u : 6u; }},
      {"mov.u32 %v, -8;\nshr.s32 %v, %v, 1;", "shr.s32/word/s32/u32",
       [](std::uint32_t) { return 0x7ffffffcu; }},
      {"cvt.rn.f32.u32 %f0, %t;\nmov.f32 %f1, 0f40000000;\nfma.rn.f32 %v, %f0, %f1, %f1;",
       "fma.rn.f32/3/value/negated",
       [&](std::uint32_t i) { return bits(2 * static_cast<float>(i) - 2); }},
      {"shfl.sync.down.b32 %v, %x, 1, 31, -1;", "shfl.sync.down.b32/2/1/2",
       [](std::uint32_t i) { return i % 32 < 30 ? i % 32 + 2 : i % 32; }},
      {"shfl.sync.down.b32 %v, %x, 1, 31, -1;", "shfl.sync.down.b32/word/down/bfly",
       [](std::uint32_t i) { return i % 32 ^ 1; }},
  };
  for (const Slip& slip : slips) {
    INFO(slip.body);
    TestKernel kernel(slip.body);
    REQUIRE(kernel.status() == LaunchStatus::ok);
    const Words want = words(slip.want);
    REQUIRE(kernel.first() != want);
    const std::vector<std::string> found = repairs(kernel, want);
    const std::string text = std::string("k.cu:5.3/") + slip.edit;
    INFO(found.size());
    CHECK(std::ranges::find(found, text) != found.end());
    CHECK(kernel.run() == kernel.first());
  }
}

TEST_CASE("an edited loop without an end ends by the limit, and only that edit",
          "[machine][edits]") {
  TestKernel kernel(
      "mov.u32 %v, 0;\nagain:\nadd.u32 %v, %v, 1;\nsetp.lt.u32 %q, %v, %n;\n@%q bra again;");
  REQUIRE(kernel.first() == words([](std::uint32_t) { return kN; }));
  CHECK(kernel.edits().make(*parse_code_edit("k.cu:5.3/add.u32/2/1/0")) == 1);
  CHECK(kernel.run().empty());
  CHECK(kernel.status() == LaunchStatus::out_of_budget);
  CHECK(kernel.edits().make(*parse_code_edit("k.cu:5.3/add.u32/2/1/2")) == 1);
  CHECK(kernel.run() == words([](std::uint32_t) { return kN; }));
  kernel.edits().take_back();
  CHECK(kernel.run() == kernel.first());
}

TEST_CASE("an edited access outside of its array ends that edit only", "[machine][edits]") {
  TestKernel kernel("ld.global.u32 %v, [%a];");
  CHECK(kernel.edits().make(*parse_code_edit("k.cu:5.3/ld.global.u32/1/address/+1099511627776")) ==
        1);
  CHECK(kernel.run().empty());
  kernel.edits().take_back();
  CHECK(kernel.run() == kernel.first());
}

TEST_CASE("an edit of another place, or of what is not there, changes nothing",
          "[machine][edits]") {
  TestKernel kernel("add.u32 %v, %t, 1;");
  for (const char* text :
       {"k.cu:6.3/add.u32/2/1/2", "k.cu:5.4/add.u32/2/1/2", "j.cu:5.3/add.u32/2/1/2",
        "k.cu:5.3/add.s32/2/1/2", "k.cu:5.3/add.u32/2/3/2", "k.cu:5.3/add.u32/7/1/2",
        "k.cu:5.3/add.u32/2/1/x", "k.cu:5.3/add.u32/word/add/ret", "k.cu:5.3/add.u32/2/1/2#2"}) {
    INFO(text);
    CHECK(kernel.edits().make(*parse_code_edit(text)) == 0);
    CHECK(kernel.run() == kernel.first());
  }
}

TEST_CASE("edits of the same text are the same, the most common slips first", "[machine][edits]") {
  const auto texts = [](std::size_t most) {
    TestKernel kernel("setp.lt.u32 %q, %t, %n;\nselp.u32 %v, 1, 0, %q;");
    std::vector<std::string> all;
    for (const CodeEdit& edit : kernel.edits().possible(most)) all.push_back(to_text(edit));
    return all;
  };
  const std::vector<std::string> all = texts(600);
  CHECK(all == texts(600));
  CHECK(texts(3) == std::vector<std::string>(all.begin(), all.begin() + 3));
  CHECK(all.front() == "k.cu:5.3/setp.lt.u32/word/lt/le");
}

/// A module with a copy of TestKernel's kernel. @param last  the type of its last parameter
std::string copy(const std::string& name, const std::string& last, const std::string& body,
                 const std::string& variables = "") {
  return ".version 8.8\n.target sm_80\n.address_size 64\n" + variables + ".visible .entry " + name +
         "(.param .u64 " + name + "_0, .param .u32 " + name + "_1, .param .u32 " + name +
         "_2, .param " + last + " " + name + "_3)\n{\n.reg .b64 %out, %wide;\n.reg .b32 %t, " +
         "%x, %b, %v, %f<4>;\nld.param.u64 %out, [" + name + "_0];\nld.param.u32 %v, [" + name +
         "_2];\nmov.u32 %x, %tid.x;\nmov.u32 %b, %ctaid.x;\nmad.lo.u32 %t, %b, 32, %x;\n" +
         "mul.wide.u32 %wide, %t, 4;\nadd.u64 %out, %out, %wide;\n" + body +
         "\nst.global.u32 [%out], %v;\nret;\n}\n";
}

TEST_CASE("a copy takes the place of a whole kernel, and leaves nothing behind",
          "[machine][edits]") {
  TestKernel kernel("add.u32 %v, %t, 1;");
  const auto copies = KernelCopies::parse(copy("k_copy7", ".u64", "add.u32 %v, %v, 5;"));
  REQUIRE(copies);
  CHECK(kernel.edits().replace(*copies, 7) == 1);
  CHECK(kernel.run() == words([](std::uint32_t) { return kM + 5; }));
  CHECK(kernel.edits().replace(*copies, 6) == 0);
  CHECK(kernel.run() == kernel.first());
  // One with other parameters cannot be launched as the kernel is.
  const auto other = KernelCopies::parse(copy("k_copy7", ".u32", ""));
  REQUIRE(other);
  CHECK(kernel.edits().replace(*other, 7) == 0);
  CHECK_FALSE(KernelCopies::parse("no PTX"));
}

TEST_CASE("a copy uses the program's shared arrays that are outside of functions",
          "[machine][edits]") {
  // As clang compiles `__shared__ unsigned tile[32]` in k().
  const auto array = [](const std::string& name, int bytes) {
    return ".shared .align 4 .b8 " + name + "[" + std::to_string(bytes) + "];\n";
  };
  const auto body = [](const std::string& name, const std::string& last) {
    return "mov.u32 %f0, " + name + ";\nmad.lo.u32 %f0, %x, 4, %f0;\nst.shared.u32 [%f0], %t;\n" +
           "ld.shared.u32 %v, [%f0];\nadd.u32 %v, %v, " + last + ";";
  };
  const std::string own = "_ZZ1kvE4tile";
  const std::string other = "_ZZ7k_copy7vE4tile";
  TestKernel kernel(body(own, "1"), array(own, 128));
  CHECK(kernel.first() == words([](std::uint32_t t) { return t + 1; }));
  const auto copies =
      KernelCopies::parse(copy("k_copy7", ".u64", body(other, "5"), array(other, 128)));
  REQUIRE(copies);
  CHECK(kernel.edits().replace(*copies, 7) == 1);
  CHECK(kernel.run() == words([](std::uint32_t t) { return t + 5; }));
  const auto larger =
      KernelCopies::parse(copy("k_copy7", ".u64", body(other, "5"), array(other, 256)));
  REQUIRE(larger);
  CHECK(kernel.edits().replace(*larger, 7) == 0);
}

TEST_CASE("the name of a copy is that of the kernel with a suffix", "[machine][edits]") {
  CHECK(with_suffix("add(float const*, int)", "_copy1") == "add_copy1(float const*, int)");
  CHECK(with_suffix("add", "_copy1") == "add_copy1");
  CHECK(with_suffix("void add<4, n::T<3> >(void (*)(int))", "_copy1") ==
        "void add_copy1<4, n::T<3> >(void (*)(int))");
  CHECK(with_suffix("(anonymous namespace)::add((anonymous namespace)::Map*)", "_copy1") ==
        "add_copy1(Map*)");
  CHECK(with_suffix("n::add()", "_copy1") == "n::add_copy1()");
  CHECK(with_suffix(")", "_copy1").size() == 7);  // without a name
}

}  // namespace
}  // namespace warpsim
