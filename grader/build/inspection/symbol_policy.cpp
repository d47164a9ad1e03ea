#include "grader/build/inspection/symbol_policy.h"

#include <algorithm>
#include <initializer_list>

#include "grader/build/inspection/allowed_names.h"

namespace warpgrade {
namespace {

/// Words are the C library's names without decoration; a word that ends in '*' is a prefix, and one
/// that starts with '=' is matched as it is.
struct Group {
  SymbolRule rule;
  std::initializer_list<std::string_view> words;
};

// Why names are rejected or flagged. A name that is in no group and not in allowed_names.cpp is
// rejected as unknown; the groups give better reasons.
const Group kNeeded[] = {
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not open files",
      .programs_may = true},
     {"open",
      "open2",
      "openat",
      "openat2",
      "creat",
      "fopen",
      "freopen",
      "fdopen",
      "fopencookie",
      "tmpfile",
      "mkstemp*",
      "mkostemp*",
      "opendir",
      "fdopendir",
      "scandir*",
      "glob",
      "nftw",
      "ftw",
      "stat",
      "lstat",
      "fstat",
      "fstatat",
      "xstat",
      "lxstat",
      "fxstat",
      "statx",
      "access",
      "faccessat",
      "readlink*",
      "realpath",
      "file_open",
      "file_fopen",
      "fts_open",
      "setmntent",
      "fmemopen",
      "open_memstream",
      "open_wmemstream",
      "posix_openpt",
      "getpt",
      "mq_*",
      "sem_open",
      "sem_unlink",
      "open_tree",
      "fsopen",
      "fsmount",
      "move_mount",
      "catopen",
      "bindtextdomain",
      "cudaGraphDebugDotPrint",
      "cudaProfilerInitialize",
      "open_by_handle_at",
      "name_to_handle_at",
      "=_ZNSt13basic_filebuf*",
      "=_ZNSt14basic_ofstream*",
      "=_ZNSt14basic_ifstream*",
      "=_ZNSt13basic_fstream*",
      "=_ZNSt10filesystem*",
      "=_ZNKSt10filesystem*",
      "=_ZNSt12__basic_file*"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not change files",
      .programs_may = true},
     {"unlink*",   "remove",  "rename*",    "link",    "linkat", "symlink*", "mkdir*",
      "rmdir",     "chmod",   "fchmod*",    "chown",   "lchown", "fchown*",  "truncate",
      "ftruncate", "mkfifo*", "mknod*",     "xmknod*", "chdir",  "fchdir",   "chroot",
      "mount",     "umount*", "pivot_root", "utime*"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not use file descriptors; use printf or std::cout",
      .programs_may = true},
     {"write",    "writev",      "pwrite",      "pwritev*",    "read",
      "readv",    "pread",       "preadv*",     "dup",         "dup2",
      "dup3",     "fcntl",       "ioctl",       "lseek",       "llseek",
      "close",    "close_range", "closefrom",   "sendfile",    "splice",
      "vmsplice", "tee",         "dprintf",     "vdprintf",    "pipe",
      "pipe2",    "eventfd*",    "poll",        "ppoll",       "select",
      "pselect",  "epoll*",      "inotify*",    "fanotify*",   "copy_file_range",
      "aio_*",    "lio_listio",  "fileno",      "isastream",   "fattach",
      "list_all", "2_1_stdin*",  "2_1_stdout*", "2_1_stderr*", "file_jumps"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not read a command line or look at folders",
      .programs_may = true},
     {"getopt*", "optarg", "optind", "opterr", "optopt", "getcwd", "get_current_dir_name",
      "readdir*", "closedir", "rewinddir"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not map or protect memory; use malloc or cudaMalloc"},
     {"mmap", "munmap", "mprotect", "mremap", "madvise", "process_madvise", "memfd_create",
      "remap_file_pages", "pkey*", "shm_open", "shmget", "shmat", "shmctl", "mincore", "sbrk",
      "brk", "userfaultfd"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not start, trace or signal processes"},
     {"fork",
      "vfork",
      "Fork",
      "clone",
      "clone2",
      "clone3",
      "exec*",
      "fexec*",
      "posix_spawn*",
      "system",
      "wordexp",
      "forkpty",
      "openpty",
      "login_tty",
      "popen",
      "pclose",
      "proc_open",
      "wait",
      "wait3",
      "wait4",
      "waitpid",
      "waitid",
      "ptrace",
      "process_vm_readv",
      "process_vm_writev",
      "kill",
      "killpg",
      "tgkill",
      "tkill",
      "sigqueue",
      "pidfd_*",
      "prctl",
      "seccomp",
      "setrlimit",
      "prlimit",
      "setsid",
      "setpgid",
      "unshare",
      "setns",
      "daemon",
      "syscall",
      "perf_event_open",
      "bpf",
      "personality",
      "sched_setaffinity",
      "setpriority",
      "nice",
      "reboot",
      "swapon"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not look functions up or load libraries"},
     {"dlopen",
      "dlmopen",
      "dlsym",
      "dlvsym",
      "dladdr",
      "dladdr1",
      "dlinfo",
      "dl_iterate_phdr",
      "dl_find_object",
      "r_debug",
      "dl_*",
      "rtld_global*",
      "cudaGetExportTable",
      "gnu_get_libc*",
      "getauxval",
      "stack_end",
      "pthread_getattr_np",
      "pthread_getattr_default_np",
      "argv",
      "program_invocation*",
      "progname*",
      "backtrace*"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not read or change the environment"},
     {"getenv", "secure_getenv", "environ", "setenv", "putenv", "unsetenv", "clearenv"}},
    {{.refused = true, .kind = "forbidden-call", .reason = "a submission may not use a network"},
     {"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "send", "sendto",
      "sendmsg", "sendmmsg", "recv", "recvfrom", "recvmsg", "recvmmsg", "getaddrinfo",
      "gethostby*"}},
    {{.refused = true,
      .kind = "forbidden-call",
      .reason = "a submission may not access the program that tests it"},
     {"=warpgrade_*",
      "=__cudaHarness*",
      "=_ZN9warpgrade*",
      "=_ZNK9warpgrade*",
      "=_ZTIN9warpgrade*",
      "=_ZTVN9warpgrade*",
      "=main",
      "=_start",
      "=_init",
      "=_fini",
      "=_DYNAMIC",
      "=__init_array_*",
      "=__fini_array_*",
      "=__preinit_array_*",
      "=__ehdr_start",
      "=__executable_start",
      "=etext",
      "=_etext",
      "=edata",
      "=_edata",
      "=end",
      "=_end",
      "=__bss_start",
      "=__data_start",
      "=data_start",
      "=__dso_handle_*"}},
    {{.kind = "host-threads",
      .reason = "host threads can continue after the function has returned"},
     {"pthread_create", "thrd_create", "=_ZNSt6thread15_M_start_thread*", "GOMP_parallel*"}},
    {{.kind = "signal-handler", .reason = "a handler can hide a crash"},
     {"signal", "bsd_signal", "sysv_signal", "sigaction", "sigaltstack", "setitimer",
      "timer_create", "alarm", "ualarm", "siglongjmp", "sigsetjmp", "setcontext", "swapcontext"}},
    // Not atexit: the code that nvcc adds to every program uses it.
    {{.kind = "runs-after-main", .reason = "code that runs when the program ends"},
     {"at_quick_exit", "on_exit"}},
    {{.kind = "driver-entry-point", .reason = "calls that bypass the runtime"},
     {"cudaGetDriverEntryPoint*"}},
    {{.kind = "early-end", .reason = "exits without running exit handlers"},
     {"exit_group", "=_exit", "=_Exit", "quick_exit"}},
};

constexpr SymbolRule kUnknown = {
    .refused = true,
    .kind = "unknown-name",
    .reason =
        "the submission does not define it, and it is not one of the CUDA, C++ and math library "
        "functions that a submission may use"};

const Group kDefined[] = {
    // Not __cuda_*: clang adds functions of such names to every program.
    {{.kind = "own-runtime", .reason = "replaces a CUDA function in its own calls"},
     {"=cuda*", "=__cudaGet*", "=__cudaInit*", "=__cudaLaunch*", "=__cudaPop*", "=__cudaPush*",
      "=__cudaRegister*", "=__cudaUnregister*", "=cuLaunch*", "=cuInit", "=cuMem*", "=cuEvent*"}},
    {{.kind = "own-runtime", .reason = "replaces a system function in its own calls"},
     {"=write", "=read",   "=open",   "=fopen",         "=exit",           "=_exit",  "=malloc",
      "=free",  "=memcpy", "=memcmp", "=clock_gettime", "=gettimeofday",   "=getenv", "=unlink",
      "=abort", "=_start", "=_init",  "=warpgrade_*",   "=_ZN9warpgrade*", "=dlsym",  "=dlopen"}},
};

/// "open" for "__open64_2@GLIBC_2.4" and so on: the library has many names for each function.
std::string_view plain(std::string_view name) {
  name = name.substr(0, name.find('@'));
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view prefix : {"_", "IO_", "libc_", "GI_", "isoc99_", "isoc23_"}) {
      if (name.starts_with(prefix) && name.size() > prefix.size()) {
        name.remove_prefix(prefix.size());
        again = true;
      }
    }
    for (const std::string_view suffix : {"_chk", "_2", "64", "_nocancel", "_time64"}) {
      if (name.ends_with(suffix) && name.size() > suffix.size()) {
        name.remove_suffix(suffix.size());
        again = true;
      }
    }
  }
  return name;
}

bool matches(std::string_view word, std::string_view name) {
  return word.ends_with('*') ? name.starts_with(word.substr(0, word.size() - 1)) : name == word;
}

template <class Groups>
const SymbolRule* find_rule(const Groups& groups, std::string_view name) {
  const std::string_view raw = name.substr(0, name.find('@'));
  const std::string_view bare = plain(name);
  for (const Group& group : groups) {
    const bool found =
        std::any_of(group.words.begin(), group.words.end(), [&](std::string_view word) {
          return word.starts_with('=') ? matches(word.substr(1), raw) : matches(word, bare);
        });
    if (found) {
      return &group.rule;
    }
  }
  return nullptr;
}

}  // namespace

const SymbolRule* rule_of_needed(std::string_view name) {
  // Names in no group must be allowed ones.
  const SymbolRule* rule = find_rule(kNeeded, name);
  return rule != nullptr || is_allowed_name(name) ? rule : &kUnknown;
}

const SymbolRule* rule_of_defined(std::string_view name) {
  return find_rule(kDefined, name);
}

}  // namespace warpgrade
