#include "emulator/cudart/local/overlap.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "emulator/cudart/api.h"
#include "emulator/cudart/local/process.h"

namespace warpsim::cudart {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr microseconds kShortestPause{20};
constexpr microseconds kLongestPause{2000};
/// How long a thread that is not in the runtime may take to change what a kernel waits for, when
/// another one waits for that kernel.
constexpr std::chrono::seconds kPatience{10};
/// So often a kernel has looked at memory that no thread could change.
constexpr int kLooksInVain = 2;

/// Work in a thread of its own.
struct Beside {
  explicit Beside(std::function<void()> todo) : work(std::move(todo)) {}

  const std::function<void()> work;
  const int device = current_device();
  const Call* call = nullptr;  // that of the thread which waits until it ends or its kernel waits
  enum class State : std::uint8_t { runs, waits, ended };
  State state = State::runs;
  std::exception_ptr failure;
  std::uint64_t seen = 0;  // the state of its kernel when that waited last
  int in_vain = 0;  // looks since then, or since somebody else did something
  microseconds pause = kShortestPause;
};

/// Who is there. Never destroyed, as threads may outlive the program's end.
struct Threads {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::shared_ptr<Beside>> beside;  // work that has not ended
  std::deque<std::shared_ptr<Beside>> unbegun;  // of it
  std::size_t own = 0;  // threads for it: as many as there was work at once
  std::uint64_t ended = 0;
  int blocked = 0;  // threads of the program that wait for a kernel's end
  Clock::time_point blocked_since;

  /// Somebody has done what kernels may wait for.
  void something_happened() {
    for (const auto& one : beside) one->in_vain = 0;
  }
};
Threads& threads() {
  static auto& all = *new Threads;
  return all;
}

/// The work of this thread; null in threads of the program.
thread_local Beside* own = nullptr;

/// Lets other threads into the runtime; a call of this thread is in progress afterwards as before.
class Released {
 public:
  explicit Released(Runtime& runtime)
      : runtime_(runtime), call_(std::exchange(runtime.call_in_progress, nullptr)) {
    runtime_.mutex.unlock();
  }
  ~Released() {
    runtime_.mutex.lock();
    runtime_.call_in_progress = call_;
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  Runtime& runtime_;
  const Call* const call_;
};

/// All threads of the process but those that run work or wait for it.
bool has_other_threads(const Threads& all) {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  if (error) return true;
  const auto count = static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
  return count > all.own + static_cast<std::size_t>(all.blocked);
}

void run_work(Beside& beside) {
  Runtime& runtime = Runtime::get();
  set_current_device(beside.device);
  own = &beside;
  {
    const std::lock_guard lock(runtime.mutex);
    runtime.call_in_progress = beside.call;
    runtime.watch.open();
    try {
      beside.work();
    } catch (...) {
      beside.failure = std::current_exception();
      // Nobody is there to get it, if the call has returned.
      if (beside.state == Beside::State::waits) runtime.errors.set_fault(cudaErrorUnknown);
    }
    runtime.watch.close();
    runtime.call_in_progress = nullptr;
  }
  own = nullptr;
}

/// A thread for such work, until the process ends.
void serve() {
  Threads& all = threads();
  std::unique_lock lock(all.mutex);
  for (;;) {
    all.changed.wait(lock, [&] { return !all.unbegun.empty(); });
    const std::shared_ptr<Beside> beside = std::move(all.unbegun.front());
    all.unbegun.pop_front();
    lock.unlock();
    run_work(*beside);
    lock.lock();
    beside->state = Beside::State::ended;
    std::erase(all.beside, beside);
    ++all.ended;
    all.something_happened();
    all.changed.notify_all();
  }
}

/// The program ends, and nothing of it runs any more that a kernel could wait for. Before static
/// objects are destroyed, which kernels use.
void wait_at_exit() {
  Runtime& runtime = Runtime::get();
  // Another thread may hang in a call; and a function that a call of this one runs may have ended
  // the program.
  const std::unique_lock lock(runtime.mutex, std::chrono::seconds(2));
  if (!lock.owns_lock() || runtime.call_in_progress != nullptr) return;
  while (runtime.streams.kernel_waits() && wait_for_a_kernel()) {
  }
}

/// @returns false if there is no thread for it
bool begin(Threads& all, const std::shared_ptr<Beside>& beside) {
  if (all.own == 0) std::atexit(wait_at_exit);
  if (all.own == all.beside.size()) {
    try {
      std::thread(serve).detach();
    } catch (const std::system_error&) {
      return false;
    }
    ++all.own;
  }
  all.beside.push_back(beside);
  all.unbegun.push_back(beside);
  all.something_happened();
  all.changed.notify_all();
  return true;
}

/// Lets the others do something. @returns false when that is of no use
bool pause(Threads& all, std::unique_lock<std::mutex>& lock, std::uint64_t state) {
  if (own->state != Beside::State::waits) {
    own->state = Beside::State::waits;  // the call that launched it returns
    all.changed.notify_all();
  }
  if (state == own->seen) {
    ++own->in_vain;
    own->pause = std::min(2 * own->pause, kLongestPause);
  } else {
    all.something_happened();
    own->seen = state;
    own->pause = kShortestPause;
  }
  const bool in_vain =
      std::ranges::all_of(all.beside, [](const auto& one) { return one->in_vain >= kLooksInVain; });
  if (all.blocked != 0 && in_vain) {
    if (!has_other_threads(all)) return false;
    if (Clock::now() - all.blocked_since > kPatience) return false;
  }
  all.changed.wait_for(lock, own->pause);
  return true;
}

}  // namespace

void run_in_own_thread(std::function<void()> work) {
  Runtime& runtime = Runtime::get();
  const Call* const call = runtime.call_in_progress;
  const bool can_return = own == nullptr && call != nullptr && call->is_outermost() &&
                          !runtime.settings.launch_blocking && process_debugger() == nullptr;
  if (!can_return) return work();
  const auto beside = std::make_shared<Beside>(std::move(work));
  beside->call = call;
  bool begun = false;
  {
    const Released released(runtime);
    Threads& all = threads();
    std::unique_lock lock(all.mutex);
    begun = begin(all, beside);
    if (begun) {
      all.changed.wait(lock, [&] { return beside->state != Beside::State::runs; });
    }
  }
  if (!begun) return beside->work();
  if (beside->state == Beside::State::ended && beside->failure) {
    std::rethrow_exception(beside->failure);
  }
}

bool let_others_run(std::uint64_t state) {
  if (own == nullptr) return false;
  Runtime& runtime = Runtime::get();
  StreamWork work = runtime.streams.pause();
  runtime.call_in_progress = nullptr;
  runtime.watch.close();
  bool goes_on = false;
  {
    const Released released(runtime);
    Threads& all = threads();
    std::unique_lock lock(all.mutex);
    goes_on = pause(all, lock, state);
  }
  runtime.watch.open();
  runtime.streams.resume(std::move(work));
  return goes_on;
}

bool wait_for_a_kernel() {
  if (own != nullptr || is_forked_from_user()) return false;
  Runtime& runtime = Runtime::get();
  const Call* const call = runtime.call_in_progress;
  if (call != nullptr && !call->is_outermost()) return false;
  Threads& all = threads();
  std::uint64_t ended = 0;
  {
    // Before others may enter the runtime, as a kernel may then end.
    const std::lock_guard lock(all.mutex);
    if (all.beside.empty()) return false;
    ended = all.ended;
  }
  const Released released(runtime);
  std::unique_lock lock(all.mutex);
  ++all.blocked;
  all.blocked_since = Clock::now();
  all.something_happened();
  all.changed.notify_all();
  all.changed.wait(lock, [&] { return all.ended != ended; });
  --all.blocked;
  all.something_happened();
  return true;
}

}  // namespace warpsim::cudart
