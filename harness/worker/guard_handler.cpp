#include "harness/worker/guard_handler.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "emulator/cudart/fault_access.h"

namespace warpgrade::worker {

namespace {

// A signal handler sees globals only; there is one handler at a time.
std::span<const GuardedBuffer> g_buffers;
int g_record_fd = -1;
struct sigaction g_previous;

/// Builds a line with async-signal-safe operations only.
class Line {
 public:
  void text(const char* words) {
    while (*words != '\0' && size_ < sizeof(text_)) text_[size_++] = *words++;
  }
  void number(std::size_t value) {
    char digits[24];
    std::size_t at = sizeof(digits);
    digits[--at] = '\0';
    do {
      digits[--at] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    text(digits + at);
  }
  void write_to(int fd) const {
    // A failure cannot be handled here; the process is ending.
    if (write(fd, text_, size_) < 0) return;
  }

 private:
  char text_[160] = {};
  std::size_t size_ = 0;
};

void note(const GuardedBuffer& guarded, const std::byte* address, bool write) {
  const std::byte* begin = guarded.buffer->data();
  const std::byte* end = begin + guarded.buffer->bytes().size();
  const bool before = address < begin;
  Line line;
  line.text("guard ");
  line.text(guarded.name.c_str());
  line.text(before ? " before " : " after ");
  line.number(static_cast<std::size_t>(before ? begin - address : address - end + 1));
  line.text(write ? " write\n" : " read\n");
  line.write_to(g_record_fd);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  bool in_guard = false;
  for (const GuardedBuffer& guarded : g_buffers) {
    if (guarded.buffer->guards(info->si_addr)) {
      in_guard = true;
      note(guarded, static_cast<const std::byte*>(info->si_addr),
           warpsim::cudart::fault_is_write(context));
    }
  }
  // The emulator's handler lets the program go on after accesses to pages that it has protected, so
  // this handler stays installed.
  if (!in_guard && (g_previous.sa_flags & SA_SIGINFO) != 0) {
    g_previous.sa_sigaction(signal, info, context);
    return;
  }
  // Returning repeats the access, now with the previous handler in place.
  sigaction(signal, &g_previous, nullptr);
}

}  // namespace

GuardHandler::GuardHandler(std::span<const GuardedBuffer> buffers, int record_fd) {
  g_buffers = buffers;
  g_record_fd = record_fd;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &g_previous);
}

std::uint64_t GuardHandler::address() {
  return reinterpret_cast<std::uint64_t>(&on_fault);
}

GuardHandler::~GuardHandler() {
  sigaction(SIGSEGV, &g_previous, nullptr);
  g_buffers = {};
}

}  // namespace warpgrade::worker
