#pragma once

// The system calls that programs in the sandbox may make: one table for each kind of program, made
// of groups by purpose. A name that an architecture lacks is skipped, so both `open` (x86-64 only)
// and `openat` are listed. To allow another call, add it to its group; calls that only a profiler
// or NVIDIA's driver needs must not be in the common ones.

#include <sched.h>

#include <cstdint>
#include <string_view>

namespace warpgrade {

/// Flags of clone. (CLONE_NEWTIME exists for unshare and clone3 only.)
inline constexpr std::uint64_t kNamespaceFlags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                                 CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                                 CLONE_NEWNET;

/// Own memory, threads and clocks: the basic needs of the C and C++ libraries.
inline constexpr std::string_view kRuntimeCalls =
    "brk mmap munmap mprotect mremap madvise msync mincore membarrier futex set_robust_list "
    "get_robust_list set_tid_address gettid getpid getppid sched_yield sched_getaffinity "
    "sched_setaffinity sched_getparam sched_getscheduler sched_get_priority_max "
    "sched_get_priority_min getcpu getpriority restart_syscall rt_sigaction rt_sigprocmask "
    "rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack pause clock_gettime "
    "clock_getres clock_nanosleep nanosleep gettimeofday time times "
    "getitimer setitimer alarm timer_create timer_settime timer_delete getrandom getrlimit "
    "getrusage sysinfo uname getuid geteuid getgid getegid getgroups getpgrp getpgid getsid "
    "arch_prctl rseq";

/// A process's own end and its signals. In the process of a submission with conditions
/// (allow_own_ends).
inline constexpr std::string_view kEndCalls = "exit exit_group kill tgkill";

/// Operations on open descriptors.
inline constexpr std::string_view kDescriptorCalls =
    "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 close lseek fstat "
    "fcntl dup dup2 dup3 poll ppoll select pselect6 pipe pipe2 fsync fdatasync ftruncate "
    "fallocate fadvise64 getdents64 fstatfs flock";

/// Needed by the loader and the harness before the submission's code runs.
inline constexpr std::string_view kFileCalls =
    "execve open openat stat lstat newfstatat access faccessat readlink readlinkat getcwd statfs "
    "umask unlink unlinkat rename renameat mkdir mkdirat";

/// For an inherited socket: these can neither create nor connect one.
inline constexpr std::string_view kMessageCalls = "sendmsg recvmsg sendto recvfrom shutdown";

/// The emulator's device process shares memory with the worker.
inline constexpr std::string_view kDeviceCalls = "memfd_create";

/// For bwrap only: its first process in the namespace waits under the same filter.
inline constexpr std::string_view kWaitCalls = "wait4";

/// Compilers start each other, and make and rename files.
inline constexpr std::string_view kToolCalls =
    "fork vfork wait4 waitid renameat2 rmdir chmod fchmod fchmodat chdir fchdir "
    "truncate utime utimes utimensat futimesat link linkat symlink symlinkat sendfile setpgid "
    "setsid setrlimit socketpair creat";

/// NVIDIA's driver, in the process of a submission: device nodes, the threads and descriptors of
/// its event loop, NUMA memory policy, a listening socket (AF_UNIX only). Found on an H100 with
/// driver 580 by logging the calls that a filter without them rejects.
inline constexpr std::string_view kDriverCalls =
    "eventfd eventfd2 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait memfd_create "
    "mlock mlock2 munlock mbind get_mempolicy set_mempolicy timerfd_create timerfd_settime "
    "timerfd_gettime socketpair bind listen accept accept4 connect getsockopt setsockopt "
    "getsockname getpeername sched_setscheduler setpriority capget statx chmod fchmod "
    "symlink symlinkat";

/// ncu and compute-sanitizer start the program, trace it and communicate with it over sockets in
/// its network namespace.
inline constexpr std::string_view kProfilerCalls =
    "ptrace process_vm_readv process_vm_writev socket personality prlimit64 tkill rt_sigqueueinfo "
    "rt_tgsigqueueinfo shmget shmat shmctl shmdt inotify_init1 "
    "inotify_add_watch inotify_rm_watch setresuid setresgid mknod mknodat sendmmsg recvmmsg "
    "sched_setparam";

/// Calls for which libraries have a fallback on older kernels. Above all clone3, whose flags are in
/// memory, where filters cannot read them; the fallback is clone.
inline constexpr std::string_view kAbsentCalls =
    "clone3 openat2 faccessat2 fchmodat2 statx close_range copy_file_range pidfd_open "
    "pidfd_send_signal pidfd_getfd process_madvise io_uring_setup epoll_pwait2 execveat "
    "memfd_create memfd_secret splice sendmmsg recvmmsg";

/// A submission's code, after all files are open (harness/worker/lockdown.h): memory, threads,
/// clocks, open descriptors. With conditions also: exit, exit_group, tgkill, clone, mmap, mprotect,
/// mremap, newfstatat, prlimit64, ioctl, prctl (locked_rules). Those on descriptors and addresses
/// are further restricted by values that are known in the process only
/// (harness/worker/lock_filter.h).
inline constexpr std::string_view kLockedCalls =
    "brk munmap madvise membarrier futex set_robust_list rseq gettid getpid sched_yield "
    "sched_getaffinity getcpu restart_syscall rt_sigaction rt_sigprocmask "
    "rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack pause "
    "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getitimer "
    "setitimer alarm getrandom getrlimit getrusage sysinfo uname getuid geteuid getgid getegid "
    "read write readv writev pread64 sendmsg recvmsg close lseek fstat poll ppoll";

/// A submission in Python, after the interpreter has loaded Numba (harness/worker/lockdown.h): it
/// opens modules and makes code at any time, but needs no file that it writes and no program that
/// it starts. With conditions also: exit, exit_group, kill, tgkill, open, openat, fcntl, clone,
/// prlimit64, ioctl, prctl (python_rules).
inline constexpr std::string_view kPythonCalls =
    "brk mmap munmap mprotect mremap madvise msync mincore membarrier futex set_robust_list "
    "get_robust_list set_tid_address rseq arch_prctl gettid getpid getppid getpgrp getpgid getsid "
    "getuid geteuid getgid getegid getgroups getrlimit getrusage getpriority sched_yield "
    "sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max "
    "sched_get_priority_min getcpu sysinfo uname restart_syscall rt_sigaction rt_sigprocmask "
    "rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack pause clock_gettime "
    "clock_getres clock_nanosleep nanosleep gettimeofday time times getitimer setitimer alarm "
    "getrandom read write readv writev pread64 preadv close lseek fstat dup dup2 dup3 poll ppoll "
    "select pselect6 pipe pipe2 fadvise64 getdents64 fstatfs stat lstat newfstatat access "
    "faccessat readlink readlinkat getcwd statfs sendmsg recvmsg";

/// For fcntl in such a program: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Not F_SETFL,
/// after which it could write into the middle of a file that is open for appending.
inline constexpr unsigned long kPythonDescriptorOptions[] = {0, 1, 2, 3, 1030};

/// Terminal requests that only query: TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX, FIONBIO.
inline constexpr unsigned long kHarmlessRequests[] = {0x5401, 0x5413, 0x541b,
                                                      0x5451, 0x5450, 0x5421};

/// For prctl: names of threads and memory, dropping privileges, the parent-death signal.
/// PR_SET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_SET_TIMERSLACK,
/// PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_VMA.
inline constexpr unsigned long kProcessOptions[] = {1, 3, 4, 15, 16, 29, 38, 39, 22, 0x53564d41};

/// For prctl in a locked program: PR_SET_NAME, PR_GET_NAME, PR_SET_VMA.
inline constexpr unsigned long kLockedOptions[] = {15, 16, 0x53564d41};

}  // namespace warpgrade
