#include "emulator/cudart/replay_work.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <string>
#include <variant>

#include "emulator/cudart/runtime.h"

namespace warpsim::cudart {
namespace {

/// Uninitialized memory is filled up to this size, as in GlobalMemory.
constexpr std::uint64_t kPoisonLimit = std::uint64_t{64} << 20;
/// While it replays: the program waits, and its time is limited.
constexpr double kMostReplaySeconds = 8;

}  // namespace

double processor_seconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Zeroed memory.
class ReplayWork::Pages {
 public:
  explicit Pages(std::uint64_t bytes) : bytes_(bytes) {
    void* made = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) throw CannotReplay("there is not enough memory");
    begin_ = static_cast<std::byte*>(made);
  }
  ~Pages() { ::munmap(begin_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  [[nodiscard]] std::byte* get() const { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  std::uint64_t bytes_;
};

ReplayWork::ReplayWork(Runtime& runtime, const CallRecord& record, DecoyInputs* inputs)
    : runtime_(runtime),
      memory_(runtime.memory),
      record_(record),
      inputs_(inputs),
      aside_(memory_.set_aside()),
      images_(runtime.machine.images().live()) {}

ReplayWork::~ReplayWork() {
  runtime_.machine.images().set(images_);
  memory_.put_back(std::move(aside_));
}

void ReplayWork::run() {
  std::vector<const RecordedStep*> steps;
  for (const RecordedStep& step : record_.steps()) steps.push_back(&step);
  run(steps);
}

void ReplayWork::run(std::span<const RecordedStep* const> steps) {
  const double start = processor_seconds();
  for (const RecordedStep* const step : steps) {
    std::visit([this](const auto& one) { make(one); }, *step);
    if (processor_seconds() - start > kMostReplaySeconds) throw CannotReplay("it takes too long");
  }
}

std::vector<std::byte> ReplayWork::output(const AnnouncedArray& array) {
  std::vector<std::byte> bytes(array.bytes);
  if (bytes.empty()) return bytes;
  if (memory_.find(array.address) != nullptr) {
    std::ranges::copy(at(array.address, array.bytes), bytes.begin());
    return bytes;
  }
  std::vector<std::uint8_t> kept(array.bytes);
  std::vector<std::uint8_t> known(array.bytes);
  record_.host_arrays().read(array.address, bytes, kept);
  on_host_.read(array.address, bytes, known);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] == 0 && kept[i] == 0) throw CannotReplay("the device wrote not all of an output");
  }
  return bytes;
}

std::span<std::byte> ReplayWork::at(std::uint64_t address, std::uint64_t bytes) {
  const GlobalMemory::Allocation* allocation = memory_.find(address);
  if (allocation == nullptr || bytes > allocation->size - (address - allocation->base)) {
    throw CannotReplay("it uses memory that is not there");
  }
  return {allocation->host + (address - allocation->base), bytes};
}

void ReplayWork::make(const MemoryAppears& step) {
  Pages& pages = *(pages_[step.base] = std::make_unique<Pages>(step.size));
  const auto* made = memory_.place(step.base, step.size, step.kind, step.device, pages.get());
  if (made == nullptr) throw CannotReplay("it uses memory twice");
  if (!step.content.empty()) {
    std::ranges::copy(step.content, pages.get());
    if (inputs_ == nullptr) return;
    inputs_->for_each_on_device([&](const AnnouncedArray& array, const DecoyArray& decoy) {
      const bool inside = array.address >= step.base && array.address - step.base < step.size;
      if (!inside) return;
      const std::span<std::byte> bytes = at(array.address, array.bytes);
      for (std::uint64_t i = 0; i < array.bytes; i += decoy.element_bytes) {
        if (std::memcmp(bytes.data() + i, decoy.host.data() + i, decoy.element_bytes) == 0) {
          std::memcpy(bytes.data() + i, decoy.device.data() + i, decoy.element_bytes);
        }
      }
    });
  } else if (!made->on_host()) {
    std::memset(pages.get(), kPoison, std::min(step.size, kPoisonLimit));
  }
}

void ReplayWork::make(const MemoryGoes& step) {
  const GlobalMemory::Allocation* allocation = memory_.find(step.base);
  if (allocation == nullptr) return;
  if (allocation->kind == GlobalMemory::Kind::registered) {
    on_host_.write(step.base, at(step.base, allocation->size));
  }
  (void)memory_.free(step.base, std::string());
  pages_.erase(step.base);
}

void ReplayWork::make(const HostWrote& step) {
  std::vector<std::byte> bytes = step.what.bytes;
  std::vector<std::uint8_t> sizes = step.what.from_device;
  if (inputs_ != nullptr) {
    inputs_->replace(bytes, step.address, sizes, step.what.after_results);
  }
  const std::span<std::byte> to = at(step.address, bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (step.what.from_device[i] == 0) to[i] = bytes[i];
  }
}

/// The bytes that the host gives in this copy, row after row.
std::vector<std::byte> ReplayWork::given(const CopyStep& step) {
  std::vector<std::byte> bytes = step.rows.bytes;
  std::vector<std::uint8_t> sizes = step.rows.from_device;
  const std::uint64_t width = step.box.width;
  std::uint64_t done = 0;
  std::vector<std::uint8_t> known(width);
  for_each_row(step.from, step.from, step.box, [&](std::uint64_t offset, std::uint64_t) {
    if (inputs_ == nullptr) return;
    inputs_->replace_by_place(std::span(bytes).subspan(done, width), step.from.address + offset,
                              std::span(sizes).subspan(done, width));
    done += width;
  });
  if (inputs_ != nullptr) inputs_->replace_by_value(bytes, sizes, step.rows.after_results);
  done = 0;
  std::vector<std::byte> results(width);
  for_each_row(step.from, step.from, step.box, [&](std::uint64_t offset, std::uint64_t) {
    on_host_.read(step.from.address + offset, results, known);
    for (std::uint64_t i = 0; i < width; ++i) {
      if (step.rows.from_device[done + i] != 0 && known[i] != 0) bytes[done + i] = results[i];
    }
    done += width;
  });
  return bytes;
}

/// The memory of one side of a copy, from its first byte to its last.
std::span<std::byte> ReplayWork::all_of(const Side& side, const Box& box) {
  return at(side.address, side.offset(box.depth - 1, box.height - 1) + box.width);
}

void ReplayWork::make(const CopyStep& step) {
  const std::uint64_t width = step.box.width;
  const std::span<std::byte> to =
      step.to_program ? std::span<std::byte>() : all_of(step.to, step.box);
  if (step.from_program && !step.to_program) {
    const std::vector<std::byte> bytes = given(step);
    std::uint64_t done = 0;
    for_each_row(step.to, step.to, step.box, [&](std::uint64_t offset, std::uint64_t) {
      std::memcpy(to.data() + offset, bytes.data() + done, width);
      done += width;
    });
    return;
  }
  const std::span<std::byte> from =
      step.from_program ? std::span<std::byte>() : all_of(step.from, step.box);
  std::vector<std::byte> row(width);
  std::vector<std::uint8_t> known(width, std::uint8_t{1});
  for_each_row(step.to, step.from, step.box, [&](std::uint64_t to_offset, std::uint64_t offset) {
    if (!step.to_program) {
      std::memmove(to.data() + to_offset, from.data() + offset, width);
      return;
    }
    const std::uint64_t address = step.to.address + to_offset;
    if (!step.from_program) {
      on_host_.write(address, from.subspan(offset, width));
      return;
    }
    on_host_.read(step.from.address + offset, row, known);
    on_host_.forget(address, width);
    for (std::uint64_t i = 0; i < width; ++i) {
      if (known[i] != 0) on_host_.write(address + i, std::span(row).subspan(i, 1));
    }
  });
}

void ReplayWork::make(const FillStep& step) {
  const std::span<std::byte> to = all_of(step.to, step.box);
  for_each_row(step.to, step.to, step.box, [&](std::uint64_t offset, std::uint64_t) {
    for (std::uint64_t x = 0; x < step.box.width; x += step.element_bytes) {
      std::memcpy(to.data() + offset + x, &step.value, step.element_bytes);
    }
  });
}

void ReplayWork::make(const LaunchStep& step) {
  std::vector<std::vector<std::byte>> arguments = step.arguments;
  std::vector<const void*> pointers;
  for (std::vector<std::byte>& argument : arguments) {
    if (inputs_ != nullptr && argument.size() >= kLeastStructure) {
      std::vector<std::uint8_t> taken(argument.size());
      inputs_->replace_by_value(argument, taken, step.after_results);
    }
    pointers.push_back(argument.data());
  }
  if (step.images != nullptr) runtime_.machine.images().set(*step.images);
  LaunchRequest request = step.request;
  request.arguments = pointers.data();
  request.unobserved = true;
  request.wants_all_uses = request.traces_data = false;
  if (runtime_.machine.launch(request).status != LaunchStatus::ok) {
    throw CannotReplay(inputs_ != nullptr ? "a kernel fails with other inputs" : "a kernel fails");
  }
}

}  // namespace warpsim::cudart
