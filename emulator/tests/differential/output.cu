#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "emulator/tests/differential/kernel.h"

// What kernels print: stdout is caught in a file while they run, and compared with what the host's
// own printf makes of the same arguments.

namespace differential {
namespace {

/// Everything that `run` and the device print to stdout.
std::string capture(const std::function<void()>& run) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("no temporary file for the output");
  std::fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  std::string failure;
  try {
    run();
    FINISH_LAUNCH();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  const off_t size = lseek(fileno(file), 0, SEEK_END);
  std::string text(size < 0 ? 0 : std::size_t(size), 0);
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  if (!failure.empty()) throw std::runtime_error(failure);
  return text;
}

void require_text(const std::string& got, const std::string& want) {
  if (got != want) throw Mismatch("lane 0 got \"" + got + "\" want \"" + want + "\"");
}

template <class... A>
std::string format(const char* text, A... arguments) {
  std::string out(4096, 0);
  out.resize(std::size_t(std::snprintf(out.data(), out.size(), text, arguments...)));
  return out;
}

__global__ void print_plain() {
  printf("hello from the device\n");
}

__global__ void print_integers(int a, unsigned b, long long c, unsigned long long d, short e) {
  printf("%d|%5d|%-6d|%05d|%+d|%i|%u|%x|%X|%#x|%o|%lld|%llu|%llx|%hd|%c|%%\n", a, a, a, a, a, a, b,
         b, b, b, b, c, d, d, e, 'q');
}

__global__ void print_floats(float a, double b) {
  printf("%f|%.3f|%10.2f|%-9.1f|%e|%E|%g|%G|%a|%.0f\n", a, b, b, a, b, a, b, b, b, b);
}

__global__ void print_strings(bool first) {
  const char* word = first ? "alpha" : "beta";
  printf("%s [%8s] [%-8s] [%.2s]\n", word, word, word, word);
}

__global__ void print_per_thread() {
  printf("block %d thread %d\n", int(blockIdx.x), int(threadIdx.x));
}

__global__ void print_when_odd() {
  if (threadIdx.x % 2 == 1) printf("odd %d\n", int(threadIdx.x));
}

__global__ void print_star(int width) {
  printf("[%*d] [%-*u]\n", width, 42, width, 7u);
}

__global__ void count_of_arguments(int* out) {
  out[0] = printf("none\n");
  out[1] = printf("%d %d\n", 1, 2);
}

__global__ void print_pointer(const void* p) {
  printf("%p\n", p);
}

}  // namespace

void register_cases(Suite& suite) {
  suite.add("printf without arguments", [] {
    require_text(capture([] { print_plain<<<1, 1>>>(); }), "hello from the device\n");
  });
  suite.add("printf of integers", [] {
    const int a = -1234;
    const unsigned b = 3000000000u;
    const long long c = -5000000000LL;
    const unsigned long long d = 18000000000000000000uLL;
    const short e = -77;
    require_text(capture([=] { print_integers<<<1, 1>>>(a, b, c, d, e); }),
                 format("%d|%5d|%-6d|%05d|%+d|%i|%u|%x|%X|%#x|%o|%lld|%llu|%llx|%hd|%c|%%\n", a, a,
                        a, a, a, a, b, b, b, b, b, c, d, d, e, 'q'));
  });
  suite.add("printf of floats", [] {
    const float a = -0.15625f;
    const double b = 31415.926535;
    require_text(
        capture([=] { print_floats<<<1, 1>>>(a, b); }),
        format("%f|%.3f|%10.2f|%-9.1f|%e|%E|%g|%G|%a|%.0f\n", a, b, b, a, b, a, b, b, b, b));
  });
  suite.add("printf of strings", [] {
    require_text(capture([] { print_strings<<<1, 1>>>(true); }),
                 "alpha [   alpha] [alpha   ] [al]\n");
    require_text(capture([] { print_strings<<<1, 1>>>(false); }),
                 "beta [    beta] [beta    ] [be]\n");
  });
  suite.add("printf with the width as an argument",
            [] { require_text(capture([] { print_star<<<1, 1>>>(6); }), "[    42] [7     ]\n"); });
  suite.add("printf from every thread", [] {
    std::string text = capture([] { print_per_thread<<<3, 40>>>(); });
    std::vector<std::string> got, want;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      got.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    for (int b = 0; b < 3; ++b) {
      for (int t = 0; t < 40; ++t) {
        want.push_back("block " + std::to_string(b) + " thread " + std::to_string(t));
      }
    }
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    if (got != want) throw Mismatch("lane 0 got " + std::to_string(got.size()) + " lines: " + text);
  });
  suite.add("printf of a diverged warp", [] {
    require_text(capture([] { print_when_odd<<<1, 6>>>(); }), "odd 1\nodd 3\nodd 5\n");
  });
  suite.add("printf returns the number of arguments", [] {
    testing::Buffer<int> out(2);
    require_text(capture([&] { count_of_arguments<<<1, 1>>>(out.get()); }), "none\n1 2\n");
    require_agreement(out.download(), std::vector<int>{0, 2});
  });
  suite.add("printf of a pointer", [] {
    testing::Buffer<int> any(1);
    require_text(capture([&] { print_pointer<<<1, 1>>>(any.get()); }),
                 format("%p\n", static_cast<void*>(any.get())));
  });
}

}  // namespace differential
