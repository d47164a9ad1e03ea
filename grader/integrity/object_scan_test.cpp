#include "grader/integrity/object_scan.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/integrity/symbol_policy.h"

namespace warpgrade {
namespace {

TEST_CASE("a name is refused under all the spellings that the C library offers it by",
          "[grader][integrity]") {
  for (const char* name : {"open", "open64", "__open", "__open64_2", "open@GLIBC_2.2.5",
                           "_IO_file_open", "__libc_fork", "execve", "execl", "syscall",
                           "_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1Ev",
                           "_ZN9warpgrade6worker12RecordWriter4lineE", "__environ", "dlsym"}) {
    INFO(name);
    REQUIRE(rule_of_needed(name) != nullptr);
    CHECK(rule_of_needed(name)->refused);
  }
}

TEST_CASE("what exercises use is neither refused nor flagged", "[grader][integrity]") {
  for (const char* name : {"printf",
                           "puts",
                           "malloc",
                           "free",
                           "exit",
                           "abort",
                           "memcpy",
                           "cudaMalloc",
                           "cudaMemcpy",
                           "cudaLaunchKernel",
                           "__cudaPushCallConfiguration",
                           "_Znwm",
                           "_ZdlPv",
                           "clock_gettime",
                           "sqrtf",
                           "log2",
                           "exp",
                           "__stack_chk_fail",
                           "_ZSt4cout",
                           "_ZNSolsEi",
                           "fprintf",
                           "stderr",
                           "_ZNSt6chrono3_V212steady_clock3nowEv",
                           "__cxa_atexit",
                           "__gxx_personality_v0",
                           "_GLOBAL_OFFSET_TABLE_",
                           "__dso_handle",
                           "_Unwind_Resume",
                           "fflush",
                           "__assert_fail"}) {
    INFO(name);
    CHECK(rule_of_needed(name) == nullptr);
  }
  for (const char* name : {"main", "_Z6vecaddPKfS0_Pfi", "_ZL20__cudaFatCubinHandle", "_Znwm"}) {
    INFO(name);
    CHECK(rule_of_defined(name) == nullptr);
  }
}

TEST_CASE("a refused call is told with its place in the source", "[grader][integrity]") {
  const std::vector<SourceFile> files = {
      {.name = "vecadd.cu", .text = "int reopened;\nfopen(1);\n"}};
  const ObjectScan scan =
      scan_symbols({{.name = "fopen"}, {.name = "_Z6vecaddv", .defined = true}}, files);
  CHECK(scan.refusal == "`fopen` at vecadd.cu:2: a submission may not open files; take it out");
  REQUIRE(scan.flags.size() == 1);
  CHECK(scan.flags[0].kind == "forbidden-call");
}

TEST_CASE("weak references of templates to thread functions are nobody's threads",
          "[grader][integrity]") {
  CHECK(scan_symbols({{.name = "pthread_create", .weak = true}}, {}).flags.empty());
  CHECK(scan_symbols({{.name = "pthread_create"}}, {}).flags.size() == 1);
}

TEST_CASE("a system call is found in a disassembly, and its name in a comment is not",
          "[grader][integrity]") {
  CHECK(calls_kernel("   4:\tsyscall\n"));
  CHECK(calls_kernel("   4:\tint    $0x80\n"));
  CHECK_FALSE(calls_kernel("   4:\tmov    $0x50f,%eax\n   9:\tcall   1 <syscall_count>\n"));
}

TEST_CASE("a library is flagged unless the lab allows it", "[grader][integrity]") {
  const std::vector<SourceFile> files = {
      {.name = "scan.cu", .text = "// #include <thrust/scan.h>\n#include <cub/cub.cuh>\n"}};
  const auto flags = scan_sources(files, {});
  REQUIRE(flags.size() == 1);
  CHECK(flags[0].kind == "library");
  CHECK(flags[0].evidence == "#include <cub/cub.cuh>");
  CHECK(scan_sources(files, {"cub"}).empty());
}

TEST_CASE("cooperative groups and what is said in comments are not flagged",
          "[grader][integrity]") {
  const std::vector<SourceFile> files = {
      {.name = "x.cu",
       .text = "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n/* see /etc/motd */\n"}};
  CHECK(scan_sources(files, {}).empty());
}

TEST_CASE("a section that becomes code by its name must be marked as code", "[grader][integrity]") {
  const auto section = [](std::string_view name, bool executable) {
    return ObjectSection{
        .name = name, .executable = executable, .writable = false, .content = "\x0f\x05"};
  };
  for (const char* name : {".text", ".text.f", ".gnu.linkonce.t.f", ".init", ".fini", ".stub"}) {
    INFO(name);
    const SectionScan scan = scan_sections({section(name, false)});
    CHECK(scan.refusal ==
          std::string("section ") + name + " becomes code and is not marked as such; take it out");
    CHECK(scan_sections({section(name, true)}).refusal.empty());
  }
  for (const char* name : {".init_array", ".textual", ".rela.text", ".rodata"}) {
    INFO(name);
    CHECK(scan_sections({section(name, false)}).refusal.empty());
  }
}

}  // namespace
}  // namespace warpgrade
