#include "grader/build/inspection/object_scan.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "grader/build/inspection/symbol_policy.h"
#include "grader/core/files.h"
#include "grader/core/source_root.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

TEST_CASE("a name is rejected under all the names that the C library has for it",
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

TEST_CASE("whole programs may use files and command lines, and nothing else that functions may not",
          "[grader][integrity]") {
  const auto refusal = [](const char* name, ObjectKind kind) {
    ObjectSymbol symbol;
    symbol.name = name;
    return scan_symbols({symbol}, {}, {}, {}, kind).refusal;
  };
  for (const char* name : {"fopen64", "open", "unlink", "mkdir", "read", "getopt_long", "getcwd",
                           "_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1Ev"}) {
    INFO(name);
    CHECK(refusal(name, ObjectKind::program).empty());
    CHECK_FALSE(refusal(name, ObjectKind::function).empty());
  }
  for (const char* name : {"system", "fork", "dlsym", "socket", "mmap", "getenv", "syscall"}) {
    INFO(name);
    CHECK_FALSE(refusal(name, ObjectKind::program).empty());
  }
}

TEST_CASE("what exercises use is neither rejected nor flagged", "[grader][integrity]") {
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
  for (const char* name : {"main", "_Z6vecaddPKfS0_Pfi", "_ZL20__cudaFatCubinHandle", "_Znwm",
                           "__cuda_module_ctor", "__cuda_module_dtor", "__cuda_register_globals",
                           "__cuda_fatbin_wrapper", "__cuda_gpubin_handle"}) {
    INFO(name);
    CHECK(rule_of_defined(name) == nullptr);
  }
}

TEST_CASE("what a large piece of honest C++ needs is allowed", "[grader][integrity]") {
  // From labs, references and samples, and a source with most of what students use of the standard
  // library, with and without optimization.
  const std::string names =
      read_file(std::filesystem::path(kSourceRoot) / "grader/build/inspection/honest_names.txt");
  std::size_t count = 0;
  for (const std::string_view name : split_lines(names)) {
    INFO(name);
    const SymbolRule* rule = rule_of_needed(name);
    CHECK((rule == nullptr || !rule->refused));
    ++count;
  }
  CHECK(count > 500);
}

TEST_CASE("checked and versioned spellings of what is allowed are allowed", "[grader][integrity]") {
  for (const char* name : {"__printf_chk", "__memcpy_chk", "__isoc23_strtol", "__isoc99_sscanf",
                           "sqrtf", "powl", "__sqrt_finite", "lgammaf_r", "__floattisf",
                           "__aarch64_ldadd4_acq_rel", "memcpy@GLIBC_2.14", "__udivti3",
                           "_ZTVN10__cxxabiv120__si_class_type_infoE", "_ZGVNSt6localeE"}) {
    INFO(name);
    CHECK(rule_of_needed(name) == nullptr);
  }
}

TEST_CASE("an unknown name is rejected", "[grader][integrity]") {
  for (const char* name :
       {"setmntent",
        "wordexp",
        "forkpty",
        "aio_write",
        "mq_open",
        "open_tree",
        "fmemopen",
        "getppid",
        "getpwnam",
        "fanotify_mark",
        "makecontext",
        "quotactl",
        "acct",
        "klogctl",
        "vhangup",
        "ioperm",
        "iopl",
        "a_function_of_next_year",
        "posix_openpt",
        "catopen",
        "ftok",
        "semget",
        "msgget",
        "getifaddrs",
        "res_query",
        "_dl_sym",
        "__libc_dlopen_mode",
        "_IO_new_fopen",
        "_Unwind_Backtrace",
        "cudaGraphDebugDotPrint",
        "memfd_secret",
        "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode",
        "_ZNSt10filesystem6removeERKNS_7__cxx114pathE",
        "_ZN9__gnu_cxx13stdio_filebufIcSt11char_traitsIcEEC1EiSt13_Ios_Openmodem",
        "_ZNKSt8messagesIcE7do_openERKSsRKSt6locale"}) {
    INFO(name);
    REQUIRE(rule_of_needed(name) != nullptr);
    CHECK(rule_of_needed(name)->refused);
  }
}

TEST_CASE("what no library defines is left to the linker, whose message says more",
          "[grader][integrity]") {
  for (const char* name : {"_Z9my_helperi", "_ZN4mine6helperEv", "cublasCreate_v2", "cuInit"}) {
    INFO(name);
    CHECK(rule_of_needed(name) == nullptr);
  }
}

TEST_CASE("a lab can allow a name", "[grader][integrity]") {
  const std::vector<ObjectSymbol> symbols = {{.name = "getenv"}};
  CHECK(scan_symbols(symbols, {}, {"setenv"}).refusal ==
        "`getenv`: a submission may not read or change the environment; remove it");
  const ObjectScan scan = scan_symbols(symbols, {}, {"getenv"});
  CHECK(scan.refusal.empty());
  CHECK(scan.flags.empty());
}

TEST_CASE("an unknown name is reported with its location", "[grader][integrity]") {
  const ObjectScan scan =
      scan_symbols({{.name = "quotactl"}}, {{.name = "a.cu", .text = "quotactl();"}});
  CHECK(scan.refusal ==
        "`quotactl` at a.cu:1: the submission does not define it, and it is not one of the CUDA, "
        "C++ and math library functions that a submission may use; remove it");
}

TEST_CASE("a function that is chosen while loading is rejected", "[grader][integrity]") {
  CHECK(scan_symbols({{.name = "f", .defined = true, .chosen_by_code = true}}, {})
            .refusal.starts_with("`f` is resolved by code that runs at load time"));
}

TEST_CASE("a rejected call is reported with its location in the source", "[grader][integrity]") {
  const std::vector<SourceFile> files = {
      {.name = "vecadd.cu", .text = "int reopened;\nfopen(1);\n"}};
  const ObjectScan scan =
      scan_symbols({{.name = "fopen"}, {.name = "_Z6vecaddv", .defined = true}}, files);
  CHECK(scan.refusal == "`fopen` at vecadd.cu:2: a submission may not open files; remove it");
  REQUIRE(scan.flags.size() == 1);
  CHECK(scan.flags[0].kind == "forbidden-call");
}

TEST_CASE("making a tensor map is not flagged, looking functions of the driver up is",
          "[grader][integrity]") {
  CHECK(scan_symbols({{.name = "cuTensorMapEncodeTiled"}}, {}).flags.empty());
  const ObjectScan scan = scan_symbols({{.name = "cudaGetDriverEntryPointByVersion"}}, {});
  CHECK(scan.refusal.empty());
  REQUIRE(scan.flags.size() == 1);
  CHECK(scan.flags[0].kind == "driver-entry-point");
}

TEST_CASE("weak references of templates to thread functions are not threads",
          "[grader][integrity]") {
  CHECK(scan_symbols({{.name = "pthread_create", .weak = true}}, {}).flags.empty());
  CHECK(scan_symbols({{.name = "pthread_create"}}, {}).flags.size() == 1);
}

TEST_CASE("a system call is found in a disassembly, and its name in a comment is not",
          "[grader][integrity]") {
  CHECK(calls_kernel("   4:\tsyscall\n"));
  CHECK(calls_kernel("   4:\tint    $0x80\n"));
  CHECK(calls_kernel("   4:\trex.W syscall\n"));
  CHECK(calls_kernel("   4:\tsvc\t#0x0\n"));
  CHECK_FALSE(calls_kernel("   4:\tmov    $0x50f,%eax\n   9:\tcall   1 <syscall_count>\n"));
  CHECK_FALSE(calls_kernel("   4:\tcall   9 <f> # 5 <a syscall>\n"));
}

TEST_CASE("bytes of a system call are found at every offset", "[grader][integrity]") {
  using namespace std::string_view_literals;
  const auto may_call = [](std::string_view code, bool is_arm64 = false) {
    return scan_sections({{.name = ".text", .executable = true, .content = code}}, is_arm64)
        .may_call_kernel;
  };
  CHECK(may_call("\x90\x0f\x05\x90"sv));
  CHECK(may_call("\xb8\x0f\x05\x00\x00"sv));  // mov $0x50f, %eax
  CHECK(may_call("\xcd\x80"sv));
  CHECK_FALSE(may_call("\x0f\x06\x05\x0f"sv));
  CHECK(may_call("\x1f\x20\x03\xd5\x01\x00\x00\xd4"sv, true));  // nop; svc #0
  CHECK_FALSE(may_call("\x1f\x20\x01\x00\x00\xd4\x03\xd5"sv, true));
}

TEST_CASE("tables of functions with a priority become ordinary ones", "[grader][integrity]") {
  const auto scan = [](std::string_view name, bool initializes = true) {
    return scan_sections({{.name = name, .writable = true, .initializes = initializes}});
  };
  using Renames = std::vector<std::pair<std::string, std::string>>;
  CHECK(scan(".init_array.00101").renames == Renames{{".init_array.00101", ".init_array"}});
  CHECK(scan(".ctors.65434", false).renames == Renames{{".ctors.65434", ".ctors"}});
  CHECK(scan(".init_array").renames.empty());
  CHECK(scan(".init_array").refusal.empty());
  for (const char* name : {".preinit_array", ".init_array.1=x", ".mine", ".init_array."}) {
    INFO(name);
    CHECK_FALSE(scan(name).refusal.empty());
  }
  CHECK(scan(".mine", false).refusal.empty());
}

TEST_CASE("paths in split and escaped strings are flagged", "[grader][integrity]") {
  for (const char* text : {"char* a = \"/pro\" \"c/self\";", "char* a = \"/pro\"\n  u8\"c/self\";",
                           "char* a = \"/\\x70roc/\";", "char* a = \"/\\160roc/\";",
                           "asm(\".inc\" \"bin \\\"x\\\"\");"}) {
    INFO(text);
    const auto flags = scan_sources({{.name = "x.cu", .text = text}}, {});
    REQUIRE(flags.size() == 1);
    CHECK(flags[0].message.ends_with("x.cu:1."));
  }
  CHECK(scan_sources({{.name = "x.cu", .text = "f(\"/pro\", \"c/\"); int incl_bin;"}}, {}).empty());
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

TEST_CASE("cooperative groups and words in comments are not flagged", "[grader][integrity]") {
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
  for (const char* name : {".text", ".text.f", ".gnu.linkonce.t.f", ".stub"}) {
    INFO(name);
    const SectionScan scan = scan_sections({section(name, false)});
    CHECK(scan.refusal ==
          std::string("section ") + name + " becomes code but is not marked as such; remove it");
    CHECK(scan_sections({section(name, true)}).refusal.empty());
  }
  for (const char* name : {".init", ".fini", ".init.x"}) {
    INFO(name);
    CHECK(scan_sections({section(name, true)}).refusal ==
          std::string("section ") + name + " runs before main; remove it");
  }
  for (const char* name : {".init_array", ".textual", ".rela.text", ".rodata"}) {
    INFO(name);
    CHECK(scan_sections({section(name, false)}).refusal.empty());
  }
}

}  // namespace
}  // namespace warpgrade
