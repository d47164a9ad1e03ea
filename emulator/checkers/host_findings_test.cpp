#include "emulator/checkers/host_findings.h"

#include <catch2/catch_test_macros.hpp>

using namespace warpsim;

namespace {

const CallSite kSite = {.api = "cudaMemcpy",
                        .function = "main",
                        .offset = 0x4f,
                        .object = "vecadd",
                        .file = "",
                        .line = 0};

struct Fixture {
  GlobalMemory memory{std::uint64_t{1} << 30};
  GlobalMemory::Allocation* device =
      memory.allocate(1024, GlobalMemory::Kind::device, "cudaMalloc #1");
  GlobalMemory::Allocation* pinned =
      memory.allocate(64, GlobalMemory::Kind::pinned, "cudaMallocHost #2");
  int on_stack = 0;

  PointerView view(std::uint64_t address) const {
    return view_pointer(memory, reinterpret_cast<const void*>(address));
  }
};

}  // namespace

TEST_CASE("a call site names the call, the function and the program", "[checkers][host][unit]") {
  CHECK(describe(kSite) == "cudaMemcpy called from main+0x4f in vecadd");
  CHECK(describe(CallSite{.api = "cudaFree",
                          .function = "",
                          .offset = 0,
                          .object = "a.out",
                          .file = "",
                          .line = 0}) == "cudaFree called from an unknown function in a.out");
  CHECK(describe(CallSite{
            .api = "", .function = "main", .offset = 16, .object = "", .file = "", .line = 0}) ==
        "main+0x10");
}

TEST_CASE("a call site with a source line leads with it", "[checkers][host][unit]") {
  const CallSite site = {.api = "cudaMalloc",
                         .function = "main",
                         .offset = 0x4f,
                         .object = "vecadd",
                         .file = "vecadd.cu",
                         .line = 31};
  CHECK(describe(site) == "vecadd.cu:31: cudaMalloc called from main");
  Finding finding(FindingKind::leak);
  place(finding, site);
  CHECK(finding.file == "vecadd.cu");
  CHECK(finding.line == 31);
}

TEST_CASE("a pointer is told by what it points to", "[checkers][host][unit]") {
  Fixture f;
  CHECK(describe(f.view(f.device->base)) == "device memory (cudaMalloc #1, 1024 bytes)");
  CHECK(describe(f.view(f.device->base + 1023)) == "device memory (cudaMalloc #1, 1024 bytes)");
  CHECK(describe(f.view(f.device->base + 1024)) == "device memory that is not allocated");
  CHECK(describe(f.view(f.pinned->base)) == "pinned host memory (cudaMallocHost #2, 64 bytes)");
  CHECK(describe(view_pointer(f.memory, &f.on_stack)) == "host memory");
  CHECK(describe(f.view(0)) == "a null pointer");
}

TEST_CASE("freed device memory is recognised, its neighbour is not", "[checkers][host][unit]") {
  Fixture f;
  auto* other = f.memory.allocate(512, GlobalMemory::Kind::device, "cudaMalloc #3");
  const std::uint64_t base = f.device->base;
  REQUIRE(f.memory.free(base, "cudaFree") == GlobalMemory::FreeResult::ok);
  CHECK(describe(f.view(base)) == "freed device memory (cudaMalloc #1, 1024 bytes)");
  CHECK(describe(f.view(other->base)) == "device memory (cudaMalloc #3, 512 bytes)");
}

TEST_CASE("only pinned and managed memory is on both sides", "[checkers][host][unit]") {
  Fixture f;
  CHECK(f.view(f.device->base).on_device());
  CHECK_FALSE(f.view(f.device->base).on_host());
  CHECK(f.view(f.pinned->base).on_device());
  CHECK(f.view(f.pinned->base).on_host());
  CHECK(view_pointer(f.memory, &f.on_stack).on_host());
  CHECK_FALSE(view_pointer(f.memory, &f.on_stack).on_device());
  CHECK_FALSE(f.view(0).on_host());
}

TEST_CASE("a copy past the end says how many bytes there were", "[checkers][host][unit]") {
  Fixture f;
  CHECK(render(out_of_bounds_copy(kSite, CopyRole::source, f.view(f.device->base + 24), 1004)) ==
        "error: cudaMemcpy of 1004 bytes reads past the end of cudaMalloc #1 (1024 bytes) "
        "[oob-copy, P45]\n"
        "  where  cudaMemcpy called from main+0x4f in vecadd (compile with -Xcompiler=-g1 to see "
        "the source line)\n"
        "  got    1004 bytes from offset 24\n"
        "  want   at most 1000 bytes from there\n"
        "  next   Sizes are in bytes: number of elements times sizeof(element), as in the "
        "allocation.\n");
}

TEST_CASE("a wrong direction names both pointers and the kind that fits",
          "[checkers][host][unit]") {
  Fixture f;
  const Finding finding =
      wrong_copy_direction(kSite, "cudaMemcpyHostToDevice", view_pointer(f.memory, &f.on_stack),
                           f.view(f.device->base), true);
  CHECK(finding.pitfall == "P43");
  CHECK(render(finding) ==
        "error: cudaMemcpy specifies cudaMemcpyHostToDevice, but its pointers imply "
        "cudaMemcpyDeviceToHost [wrong-copy-direction, P43]\n"
        "  where  cudaMemcpy called from main+0x4f in vecadd (compile with -Xcompiler=-g1 to see "
        "the source line)\n"
        "  got    destination host memory, source device memory (cudaMalloc #1, 1024 bytes)\n"
        "  want   destination device memory, source host memory\n"
        "  next   Nothing was copied. The order is (destination, source): swap the pointers or use "
        "cudaMemcpyDeviceToHost.\n");
}

TEST_CASE("a wrong direction that worked anyway is a warning", "[checkers][host][unit]") {
  Fixture f;
  const Finding finding = wrong_copy_direction(
      kSite, "cudaMemcpyHostToDevice", f.view(f.device->base), f.view(f.device->base), false);
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.message ==
        "cudaMemcpy specifies cudaMemcpyHostToDevice, but its pointers imply "
        "cudaMemcpyDeviceToDevice");
  CHECK(finding.next ==
        "The copy was made because addresses are unified; use cudaMemcpyDeviceToDevice.");
}

TEST_CASE("a leak says what frees it", "[checkers][host][unit]") {
  Fixture f;
  const CallSite site = {.api = "cudaMalloc",
                         .function = "main",
                         .offset = 4,
                         .object = "a.out",
                         .file = "",
                         .line = 0};
  CHECK(leak(*f.device, site).message == "cudaMalloc #1 (1024 bytes) was never freed");
  CHECK(leak(*f.device, site).got == "1024 bytes in use when the program ended");
  CHECK(leak(*f.device, site).want == "every allocation freed once");
  CHECK(leak(*f.device, site).next == "Free it with cudaFree when it is no longer used.");
  CHECK(leak(*f.pinned, site).next == "Free it with cudaFreeHost when it is no longer used.");
  CHECK(leak(*f.device, site).where ==
        "cudaMalloc called from main+0x4 in a.out (compile with -Xcompiler=-g1 to see the source "
        "line)");
}

TEST_CASE("host access names the allocation and the offset", "[checkers][host][unit]") {
  Fixture f;
  const CallSite site = {
      .api = "", .function = "sum", .offset = 2, .object = "a.out", .file = "", .line = 0};
  const Finding finding = host_access(site, f.device->base + 40, f.device);
  CHECK(finding.pitfall == "P44");
  CHECK(finding.message ==
        "host code dereferences a pointer to device memory (cudaMalloc #1, 1024 bytes)");
  CHECK(finding.got == "byte offset 40");
  CHECK(finding.where == "sum+0x2 in a.out (compile with -Xcompiler=-g1 to see the source line)");
}

TEST_CASE("a race of two streams names both sides", "[checkers][host][unit]") {
  const CallSite launch = {.api = "<<<>>>",
                           .function = "main",
                           .offset = 2,
                           .object = "a.out",
                           .file = "a.cu",
                           .line = 7};
  CallSite copy = launch;
  copy.api = "cudaMemcpy";
  copy.line = 9;
  const PendingUse use = {.memory = "device memory (cudaMalloc #1, 40 bytes)",
                          .offset = 8,
                          .user = "kernel fill(int*)",
                          .issued = launch,
                          .writes = true};
  const Finding found = stream_race(copy, "cudaMemcpy", use, false);
  CHECK(found.kind == FindingKind::stream_race);
  CHECK(found.severity == Severity::error);
  CHECK(found.where == "a.cu:9: cudaMemcpy called from main");
  CHECK(found.message ==
        "cudaMemcpy reads device memory (cudaMalloc #1, 40 bytes), which kernel fill(int*) of "
        "another stream may still write");
  CHECK(found.got == "byte offset 8, unordered with a.cu:7: <<<>>> called from main");
  CHECK(found.detail == FindingDetail::none);
}

TEST_CASE("two copies of different streams that both write overlap", "[checkers][host]") {
  const CallSite copy = {.api = "cudaMemcpyAsync",
                         .function = "main",
                         .offset = 8,
                         .object = "a.out",
                         .file = "a.cu",
                         .line = 9};
  PendingUse use = {.memory = "device memory (cudaMalloc #1, 40 bytes)",
                    .offset = 8,
                    .user = "cudaMemcpyAsync",
                    .issued = copy,
                    .writes = true};
  const auto detail = [&](std::string_view work, bool writes) {
    return stream_race(copy, work, use, writes).detail;
  };
  CHECK(detail("cudaMemcpyAsync", true) == FindingDetail::copies_overlap);
  CHECK(detail("cudaMemcpyAsync", false) == FindingDetail::none);
  CHECK(detail("kernel fill(int*)", true) == FindingDetail::none);
  use.writes = false;
  CHECK(detail("cudaMemcpyAsync", true) == FindingDetail::none);
}

TEST_CASE("host access before a wait names both sides", "[checkers][host][unit]") {
  const CallSite reader = {
      .api = "", .function = "check", .offset = 2, .object = "a.out", .file = "a.cu", .line = 9};
  const CallSite launch = {.api = "<<<>>>",
                           .function = "main",
                           .offset = 2,
                           .object = "a.out",
                           .file = "a.cu",
                           .line = 7};
  PendingUse use = {.memory = "managed memory (cudaMallocManaged #1, 40 bytes)",
                    .offset = 8,
                    .user = "kernel fill(int*)",
                    .issued = launch,
                    .writes = true};
  const Finding read = host_access_before_sync(reader, false, use);
  CHECK(read.kind == FindingKind::host_access_before_sync);
  CHECK(read.severity == Severity::error);
  CHECK(read.where == "a.cu:9: check");
  CHECK(read.message ==
        "host code reads managed memory (cudaMallocManaged #1, 40 bytes), which kernel fill(int*) "
        "may still write");
  CHECK(read.got == "byte offset 8, with no synchronization after a.cu:7: <<<>>> called from main");
  use.writes = false;
  CHECK(host_access_before_sync(reader, true, use).message ==
        "host code writes managed memory (cudaMallocManaged #1, 40 bytes), which kernel fill(int*) "
        "may still read");
}
