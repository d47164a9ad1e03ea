#include "grader/build/inspection/allowed_names.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

namespace warpgrade {
namespace {

// To allow another name, add it to its group. A word that ends in '*' is a prefix. Excluded is
// everything that opens, maps or names a file, a process, or another thread's memory.

/// The CUDA runtime, and CUDA libraries that are not linked.
constexpr std::string_view kCuda =
    "cuda* __cuda* cublas* cudnn* cufft* curand* cusparse* cusolver* nccl* npp* nv* omp_* GOMP_* "
    "__kmpc* warpgrade_call";

/// Helpers that compilers call.
constexpr std::string_view kCompiler =
    "__cxa_* __dynamic_cast __gxx_personality_v0 __gcc_personality_v0 __once_proxy "
    "_Unwind_Resume _Unwind_Resume_or_Rethrow _Unwind_RaiseException _Unwind_DeleteException "
    "__stack_chk_fail __stack_chk_fail_local __stack_chk_guard "
    "__chk_fail __fortify_fail __dso_handle _GLOBAL_OFFSET_TABLE_ __tls_get_addr __cpu_model "
    "__cpu_features2 __cpu_indicator_init __cpu_supports __gmon_start__ _ITM_* __tsan_* "
    "__emutls* __atomic_* __sync_* atomic_flag_* __aarch64_* __powisf2 __powidf2 __powixf2 "
    "__powitf2 __register_frame_info __deregister_frame_info __mulsc3 __muldc3 __mulxc3 __divsc3 "
    "__divdc3 __divxc3 __clear_cache";

/// The math library, double precision; each also with suffix f and l.
constexpr std::string_view kMath =
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 "
    "exp2 expm1 fabs fdim floor fma fmax fmaximum fmin fminimum fmod frexp gamma hypot ilogb "
    "finite isinf isnan j0 j1 jn ldexp lgamma llogb llrint llround log log10 log1p log2 logb "
    "lrint lround modf nan nearbyint nextafter nextdown nexttoward nextup pow remainder remquo "
    "rint round roundeven scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma "
    "trunc y0 y1 yn cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog "
    "clog10 conj cpow cproj creal csin csinh csqrt ctan ctanh rsqrt sinpi cospi rcbrt "
    "lgamma_r gamma_r __fpclassify __signbit __isnan __isinf __finite __issignaling __iseqsig";
constexpr std::string_view kMathHelpers =
    "signgam __signgam matherr fegetround fesetround feclearexcept feraiseexcept fetestexcept "
    "fegetexcept feenableexcept fedisableexcept fegetenv fesetenv feholdexcept feupdateenv "
    "fegetexceptflag fesetexceptflag";

/// The C library: memory, strings, numbers, sorting.
constexpr std::string_view kLibrary =
    "malloc calloc realloc reallocarray free cfree aligned_alloc posix_memalign memalign valloc "
    "malloc_usable_size memcpy memmove memset memcmp memchr memrchr memmem mempcpy memccpy "
    "__mempcpy __memcpy_inline rawmemchr __rawmemchr bcmp bcopy bzero explicit_bzero ffs ffsl "
    "ffsll str* __str* stpcpy __stpcpy stpncpy __stpncpy index rindex basename ascii* wcs* "
    "__wcs* wmem* __wmem* wcp* mbs* mbr* mbtowc mblen wctomb wcrtomb wctob btowc __mbrlen "
    "isw* __isw* tow* __tow* wctype __wctype_l wctrans isalnum isalpha isascii isblank iscntrl "
    "isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii tolower toupper "
    "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max abs labs llabs "
    "imaxabs div ldiv lldiv imaxdiv atoi atol atoll atof qsort qsort_r bsearch lfind lsearch "
    "hsearch tsearch tfind tdelete twalk rand srand rand_r random srandom random_r srandom_r "
    "initstate setstate drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 seed48 lcong48 "
    "drand48_r lrand48_r srand48_r arc4random* getentropy getrandom abort exit atexit __assert "
    "__assert_fail __assert_perror_fail __errno_location __libc_single_threaded setjmp _setjmp "
    "longjmp _longjmp __longjmp_chk __explicit_bzero_chk ecvt fcvt gcvt a64l l64a swab "
    "__isoc23_strto* getpagesize sysconf get_nprocs get_nprocs_conf getpid gettid isatty "
    "setlocale localeconv newlocale uselocale freelocale duplocale __newlocale __uselocale "
    "__freelocale __duplocale nl_langinfo";

/// Clocks and calendars.
constexpr std::string_view kTime =
    "time clock clock_gettime clock_getres gettimeofday difftime mktime timegm timelocal gmtime "
    "gmtime_r localtime localtime_r ctime ctime_r asctime asctime_r strftime strptime wcsftime "
    "timespec_get nanosleep clock_nanosleep usleep sleep sched_yield sched_getcpu tzset tzname "
    "timezone daylight times getrusage ftime";

/// The open standard streams, but nothing that makes a FILE from a name or a descriptor.
constexpr std::string_view kStreams =
    "stdin stdout stderr printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf "
    "asprintf vasprintf puts putchar putc _IO_putc fputs fputc putw fwrite fflush ferror feof "
    "clearerr perror setbuf setbuffer setvbuf setlinebuf scanf fscanf sscanf vscanf vfscanf "
    "vsscanf gets fgets getchar getc _IO_getc fgetc getw fread getline getdelim ungetc fclose "
    "fseek fseeko ftell ftello rewind fgetpos fsetpos flockfile funlockfile ftrylockfile "
    "putc_unlocked putchar_unlocked getc_unlocked getchar_unlocked fputc_unlocked "
    "fputs_unlocked fwrite_unlocked fread_unlocked fflush_unlocked ferror_unlocked "
    "feof_unlocked wprintf fwprintf swprintf vwprintf vfwprintf vswprintf putwchar putwc fputwc "
    "fputws getwchar getwc fgetwc fgetws ungetwc fwide __overflow __uflow wscanf swscanf "
    "fwscanf";

/// Locks and functions of existing threads. Starting a thread is flagged elsewhere.
constexpr std::string_view kThreads =
    "pthread_mutex_* pthread_mutexattr_* pthread_cond_* pthread_condattr_* pthread_rwlock_* "
    "pthread_rwlockattr_* pthread_spin_* pthread_barrier_* pthread_barrierattr_* pthread_once "
    "pthread_key_create __pthread_key_create pthread_key_delete pthread_getspecific "
    "pthread_setspecific pthread_self pthread_equal pthread_join pthread_detach pthread_exit "
    "pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate "
    "pthread_attr_setstacksize pthread_setname_np pthread_yield mtx_* cnd_* tss_* call_once "
    "thrd_join thrd_detach thrd_current thrd_equal thrd_yield thrd_sleep thrd_exit sem_init "
    "sem_destroy sem_wait sem_trywait sem_timedwait sem_post sem_getvalue sigemptyset sigfillset "
    "sigaddset sigdelset sigismember raise";

/// What students may need of namespace std: classes and functions by the first name after std::
/// (and after std::__cxx11::). File streams, file systems and message catalogues are not among
/// them.
constexpr std::string_view kStandard =
    "_Fnv_hash_bytes _Hash_bytes _List_node_base _Rb_tree_* _Sp_* _V2 __atomic* __codecvt_* "
    "__condvar __convert_to_v __copy_streambufs* __ctype_abstract_base __cxx1998 __detail "
    "__exception_ptr __format* __future_base __glibcxx_assert_fail __istream_extract "
    "__moneypunct_cache __norm __num_base __numeric_limits_base __numpunct_cache __once_call "
    "__once_callable __ostream_insert __shared_ptr __sso_string __throw_* __time_get_state "
    "__timepunct* __verify_grouping adopt_lock allocator bad_* basic_ios basic_iostream "
    "basic_istream basic_istringstream basic_ostream basic_osyncstream basic_ostringstream "
    "basic_spanbuf basic_streambuf basic_string basic_stringbuf basic_stringstream "
    "basic_syncbuf cerr char_traits chrono cin clog codecvt* collate* condition_variable* cout "
    "ctype* current_exception defer_lock domain_error endl ends error_category error_code "
    "exception flush format_error from_chars future_category future_error generic_category "
    "get_new_handler get_terminate get_unexpected getline gslice has_facet hash "
    "invalid_argument ios_base iostream_category istreambuf_iterator istrstream length_error "
    "locale lock_error logic_error money_base money_get money_put moneypunct* nested_exception "
    "nothrow notify_all_at_thread_exit num_get num_put numeric_limits numpunct* "
    "ostreambuf_iterator ostrstream out_of_range overflow_error placeholders pmr random_device "
    "range_error regex_error rethrow_exception runtime_error set_new_handler set_terminate "
    "set_unexpected strstream strstreambuf system_category system_error terminate this_thread "
    "thread time_base time_get* time_put* to_chars tr1 try_to_lock type_info "
    "uncaught_exception uncaught_exceptions underflow_error unexpected use_facet valarray wcerr "
    "wcin wclog wcout ws";
constexpr std::string_view kGnu =
    "__atomic_add __exchange_and_add __pool* __pool_alloc_base __verbose_terminate_handler "
    "free_list stdio_sync_filebuf recursive_init_error __throw_* _Settings _Error_formatter "
    "_Safe_* _List_node_base";

/// Names and prefixes.
class Names {
 public:
  explicit Names(std::initializer_list<std::string_view> groups) {
    for (std::string_view group : groups) {
      while (!group.empty()) {
        const std::size_t end = std::min(group.find(' '), group.size());
        add(group.substr(0, end));
        group.remove_prefix(std::min(end + 1, group.size()));
      }
    }
  }
  [[nodiscard]] bool contain(std::string_view name) const {
    if (words_.contains(name)) {
      return true;
    }
    // If the set contains a prefix of the name, it is directly before the name in order, or a
    // prefix of the entry that is.
    auto at = prefixes_.upper_bound(name);
    while (at != prefixes_.begin()) {
      --at;
      if (name.starts_with(*at)) {
        return true;
      }
      if (at->empty() || name.empty() || at->front() != name.front()) {
        return false;
      }
    }
    return false;
  }

 private:
  void add(std::string_view word) {
    if (word.ends_with('*')) {
      prefixes_.insert(word.substr(0, word.size() - 1));
    } else {
      words_.insert(word);
    }
  }

  std::set<std::string_view> words_;
  std::set<std::string_view> prefixes_;
};

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [&](std::string_view suffix) { return name.ends_with(suffix); });
}

/// Arithmetic helpers of libgcc: __divti3, __floattisf, __extendhfsf2.
bool is_arithmetic(std::string_view name) {
  return starts_with_any(name,
                         {"__add",    "__sub",   "__mul",    "__div",      "__mod",   "__udiv",
                          "__umod",   "__neg",   "__ash",    "__lsh",      "__fix",   "__float",
                          "__extend", "__trunc", "__cmp",    "__ucmp",     "__eq",    "__ne",
                          "__lt",     "__le",    "__gt",     "__ge",       "__unord", "__clz",
                          "__ctz",    "__ffs",   "__parity", "__popcount", "__bswap", "__abs"}) &&
         ends_with_any(name, {"si",  "di",  "ti",  "sf",  "df",  "xf",  "tf",  "hf",  "si2",
                              "di2", "ti2", "sf2", "df2", "xf2", "tf2", "hf2", "bf2", "si3",
                              "di3", "ti3", "sf3", "df3", "xf3", "tf3", "hf3", "ti4", "di4"});
}

bool is_math(std::string_view name) {
  static const Names names({kMath});
  if (name.starts_with("__") && name.ends_with("_finite")) {
    name = name.substr(2, name.size() - 9);
  }
  if (names.contain(name)) {
    return true;
  }
  for (const std::string_view suffix : {"f", "l", "f_r", "l_r", "f32", "f64", "f128", "f16"}) {
    if (name.ends_with(suffix) && names.contain(name.substr(0, name.size() - suffix.size()))) {
      return true;
    }
  }
  return name.ends_with("f_r") || name.ends_with("l_r")
             ? names.contain(std::string(name.substr(0, name.size() - 3)) + "_r")
             : false;
}

/// Takes an identifier from the front: "cout" from "4cout". Empty if there is none.
std::string_view take_identifier(std::string_view& text) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || length == 0 || length > text.size() - digits) {
    return {};
  }
  const std::string_view name = text.substr(digits, length);
  text.remove_prefix(digits + length);
  return name;
}

/// Skips the prefixes of special names: virtual tables, guard variables, thunks and local entities.
void skip_kind(std::string_view& text) {
  for (;;) {
    if (starts_with_any(text, {"TV", "TT", "TI", "TS", "GV", "TW", "TH"})) {
      text.remove_prefix(2);
    } else if (starts_with_any(text, {"Th", "Tv"})) {  // Thn16_, Tv0_n24_: thunks
      const std::size_t parts = text.starts_with("Tv") ? 2 : 1;
      for (std::size_t i = 0; i < parts; ++i) {
        text.remove_prefix(std::min(text.find('_') + 1, text.size()));
      }
    } else if (text.starts_with('Z')) {
      text.remove_prefix(1);
    } else {
      return;
    }
  }
}

/// A mangled C++ name.
bool is_allowed_cpp(std::string_view text) {
  static const Names standard({kStandard});
  static const Names gnu({kGnu});
  skip_kind(text);
  bool nested = false;
  if (text.starts_with('N')) {
    nested = true;
    text.remove_prefix(1);
    text.remove_prefix(std::min(text.find_first_not_of("KVrRO"), text.size()));
  }
  // Abbreviations of std::allocator, std::string and the streams of char.
  if (starts_with_any(text, {"Sa", "Sb", "Ss", "Si", "So", "Sd"})) {
    return true;
  }
  if (text.starts_with("St")) {
    text.remove_prefix(2);
    std::string_view name = take_identifier(text);
    if (name == "__cxx11") {
      name = take_identifier(text);
    }
    // An operator has no identifier: operator<< for streams.
    return name.empty() || standard.contain(name);
  }
  const std::string_view first = nested ? take_identifier(text) : std::string_view();
  if (first == "__gnu_cxx" || first == "__gnu_debug" || first == "__gnu_norm" ||
      first == "__gnu_parallel") {
    const std::string_view name = take_identifier(text);
    return name.empty() || gnu.contain(name);
  }
  // __cxxabiv1, operator new, types of the language: harmless; others are reported by the linker.
  return true;
}

}  // namespace

bool is_allowed_name(std::string_view name) {
  static const Names names({kCuda, kCompiler, kMathHelpers, kLibrary, kTime, kStreams, kThreads});
  name = name.substr(0, name.find('@'));
  if (name.starts_with("_Z")) {
    return is_allowed_cpp(name.substr(2));
  }
  // The driver API: cuInit and so on.
  if (name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z') {
    return true;
  }
  if (names.contain(name) || is_math(name) || is_arithmetic(name)) {
    return true;
  }
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_"}) {
    if (name.starts_with(prefix) && names.contain(name.substr(prefix.size()))) {
      return true;
    }
  }
  // __printf_chk and so on, from _FORTIFY_SOURCE.
  return name.starts_with("__") && name.ends_with("_chk") &&
         names.contain(name.substr(2, name.size() - 6));
}

}  // namespace warpgrade
