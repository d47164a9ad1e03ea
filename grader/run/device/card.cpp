#include "grader/run/device/card.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "grader/core/embedded.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/user_cache.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The functions of NVML that are needed, loaded at run time. The numbers are those of nvml.h,
/// whose ABI is stable.
class Management {
 public:
  using Handle = void*;

  static const Management& get() {
    static const Management library;
    return library;
  }

  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] std::optional<Handle> card(const std::string& uuid) const {
    Handle handle = nullptr;
    if (!usable_ || by_uuid_ == nullptr || by_uuid_(uuid.c_str(), &handle) != 0) {
      return std::nullopt;
    }
    return handle;
  }
  [[nodiscard]] double clock(Handle card, unsigned which) const {
    unsigned mhz = 0;
    return clock_ != nullptr && clock_(card, which, &mhz) == 0 ? mhz : 0;
  }
  [[nodiscard]] double celsius(Handle card) const {
    unsigned degrees = 0;
    return temperature_ != nullptr && temperature_(card, 0, &degrees) == 0 ? degrees : 0;
  }
  [[nodiscard]] double watts(Handle card) const {
    unsigned milliwatts = 0;
    return power_ != nullptr && power_(card, &milliwatts) == 0 ? milliwatts * 1e-3 : 0;
  }
  [[nodiscard]] unsigned long long throttle(Handle card) const {
    unsigned long long reasons = 0;
    return throttle_ != nullptr && throttle_(card, &reasons) == 0 ? reasons : 0;
  }
  [[nodiscard]] std::string driver() const {
    std::array<char, 96> text{};
    return usable_ && driver_ != nullptr &&
                   driver_(text.data(), static_cast<unsigned>(text.size()) - 1) == 0
               ? std::string(text.data())
               : std::string();
  }

 private:
  Management() {
    // Never closed: it is used until exit.
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return;
    int (*init)() = nullptr;
    find(library, "nvmlInit_v2", init);
    find(library, "nvmlDeviceGetHandleByUUID", by_uuid_);
    find(library, "nvmlDeviceGetClockInfo", clock_);
    find(library, "nvmlDeviceGetTemperature", temperature_);
    find(library, "nvmlDeviceGetPowerUsage", power_);
    find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", throttle_);
    find(library, "nvmlSystemGetDriverVersion", driver_);
    usable_ = init != nullptr && init() == 0;
  }

  template <class Function>
  static void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
  }

  bool usable_ = false;
  int (*by_uuid_)(const char*, Handle*) = nullptr;
  int (*clock_)(Handle, unsigned, unsigned*) = nullptr;
  int (*temperature_)(Handle, unsigned, unsigned*) = nullptr;
  int (*power_)(Handle, unsigned*) = nullptr;
  int (*throttle_)(Handle, unsigned long long*) = nullptr;
  int (*driver_)(char*, unsigned) = nullptr;
};

constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;
constexpr std::chrono::seconds kBuildLimit{120};
constexpr std::chrono::seconds kRunLimit{30};

std::optional<CardPeaks> load_peaks(const fs::path& file) {
  const std::optional<std::string> text = read_cached(file);
  if (!text) return std::nullopt;
  try {
    const auto document = nlohmann::json::parse(*text);
    return CardPeaks{.copy_bytes_per_second = document.at("copy_bytes_per_second"),
                     .fma_per_second = document.at("fma_per_second")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void store_peaks(const fs::path& file, const CardPeaks& peaks) {
  write_cached(file, nlohmann::json{{"copy_bytes_per_second", peaks.copy_bytes_per_second},
                                    {"fma_per_second", peaks.fma_per_second}}
                         .dump());
}

std::optional<CardPeaks> run_probe(const Toolchain& toolchain, const Device& device) {
  const ScratchFolder scratch;
  const fs::path source = scratch.path() / "card_probe.cu";
  const fs::path program = scratch.path() / "card_probe";
  write_file_atomically(source, embedded_file("card_probe.cu"));
  ProcessSpec build{.argv = {toolchain.compiler.program.string(), "-O3", "-arch=native", "-cudart",
                             "static", source.string(), "-o", program.string()},
                    .folder = scratch.path(),
                    .environment = base_environment(),
                    .descriptors = {},
                    .confinement = std::nullopt,
                    .limits = {.wall = kBuildLimit}};
  if (!run_process(build).ok()) return std::nullopt;
  ProcessSpec run{.argv = {program.string()},
                  .folder = scratch.path(),
                  .environment = base_environment(),
                  .descriptors = {},
                  .confinement = std::nullopt,
                  .limits = {.wall = kRunLimit}};
  run.environment.emplace_back("CUDA_VISIBLE_DEVICES", device.uuid);
  const ProcessResult result = run_process(run);
  std::istringstream words(result.out);
  CardPeaks peaks;
  words >> peaks.copy_bytes_per_second >> peaks.fma_per_second;
  if (!result.ok() || !words) return std::nullopt;
  return peaks;
}

}  // namespace

std::optional<CardState> read_card_state(const std::string& uuid) {
  const Management& library = Management::get();
  const auto card = library.card(uuid);
  if (!card) return std::nullopt;
  return CardState{.sm_mhz = library.clock(*card, kSmClock),
                   .memory_mhz = library.clock(*card, kMemoryClock),
                   .celsius = library.celsius(*card),
                   .watts = library.watts(*card),
                   .throttle = throttle_words(library.throttle(*card))};
}

std::string driver_version() {
  return Management::get().driver();
}

std::string throttle_words(unsigned long long reasons) {
  constexpr std::array<std::pair<unsigned long long, const char*>, 9> kReasons = {{
      {0x1, "idle"},
      {0x2, "application-clocks"},
      {0x4, "sw-power-cap"},
      {0x8, "hw-slowdown"},
      {0x10, "sync-boost"},
      {0x20, "sw-thermal"},
      {0x40, "hw-thermal"},
      {0x80, "hw-power-brake"},
      {0x100, "display-clock"},
  }};
  std::string words;
  for (const auto& [bit, word] : kReasons) {
    if ((reasons & bit) != 0) words += fmt::format("{}{}", words.empty() ? "" : ", ", word);
  }
  return words;
}

std::optional<CardPeaks> measure_card_peaks(const Toolchain& toolchain, const Device& device) {
  Sha256 sha;
  for (const std::string_view part :
       {std::string_view(device.uuid), embedded_file("card_probe.cu")}) {
    sha.add_field(std::string(part));
  }
  sha.add_field(driver_version());
  const fs::path file = cache_file("card", sha.hex() + ".json");
  std::optional<CardPeaks> peaks = load_peaks(file);
  if (!peaks) {
    peaks = run_probe(toolchain, device);
    if (peaks) store_peaks(file, *peaks);
  }
  return peaks;
}

}  // namespace warpgrade
