#include "grader/run/device/device.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <system_error>

#include "grader/core/error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

bool holds_cudart(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("libcudart.so")) {
      return true;
    }
  }
  return false;
}

std::string uuid_text(const std::array<unsigned char, 16>& bytes) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool starts_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", starts_group ? "-" : "", bytes[i]);
  }
  return text;
}

}  // namespace

std::optional<Gpu> find_gpu() {
  // The driver's library, loaded at run time: the grader does not need CUDA.
  void* driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) {
    return std::nullopt;
  }
  using Init = int (*)(unsigned);
  using Count = int (*)(int*);
  using Get = int (*)(int*, int);
  using Name = int (*)(char*, int, int);
  using Uuid = int (*)(unsigned char*, int);
  using Attribute = int (*)(int*, int, int);
  constexpr int kMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
  constexpr int kMinor = 76;
  const auto init = reinterpret_cast<Init>(::dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<Count>(::dlsym(driver, "cuDeviceGetCount"));
  const auto get = reinterpret_cast<Get>(::dlsym(driver, "cuDeviceGet"));
  const auto name = reinterpret_cast<Name>(::dlsym(driver, "cuDeviceGetName"));
  const auto uuid = reinterpret_cast<Uuid>(::dlsym(driver, "cuDeviceGetUuid"));
  const auto attribute = reinterpret_cast<Attribute>(::dlsym(driver, "cuDeviceGetAttribute"));
  int devices = 0;
  int device = 0;
  int major = 0;
  int minor = 0;
  std::array<char, 256> text{};
  std::array<unsigned char, 16> bytes{};
  const bool found = init != nullptr && count != nullptr && get != nullptr && name != nullptr &&
                     uuid != nullptr && attribute != nullptr && init(0) == 0 &&
                     count(&devices) == 0 && devices > 0 && get(&device, 0) == 0 &&
                     name(text.data(), static_cast<int>(text.size()) - 1, device) == 0 &&
                     uuid(bytes.data(), device) == 0 && attribute(&major, kMajor, device) == 0 &&
                     attribute(&minor, kMinor, device) == 0;
  if (!found) return std::nullopt;
  return Gpu{.name = text.data(), .uuid = uuid_text(bytes), .capability = 10 * major + minor};
}

bool has_emulator(const Installation& installation) {
  return holds_cudart(installation.emulator_folder());
}

Device emulator_device(const Installation& installation) {
  if (!has_emulator(installation)) {
    throw EnvironmentError(fmt::format("the emulator's libcudart is not in {}; build the project",
                                       installation.emulator_folder().string()));
  }
  return {
      .kind = DeviceKind::emulator, .name = "", .library_folder = installation.emulator_folder()};
}

Device choose_device(DeviceRequest request, const Installation& installation,
                     const Toolchain& toolchain) {
  // clang's programs hold PTX as text, which only the emulator's library reads.
  const bool for_gpu = toolchain.compiler.kind == CompilerKind::nvcc;
  if (request == DeviceRequest::cuda && !for_gpu) {
    throw EnvironmentError(
        "programs that clang compiles run on the emulator only; for --device cuda, use --compiler "
        "nvcc");
  }
  if (request != DeviceRequest::emulator && for_gpu) {
    if (std::optional<Gpu> gpu = find_gpu()) {
      return {.kind = DeviceKind::cuda,
              .name = std::move(gpu->name),
              .library_folder = toolchain.cudart.parent_path(),
              .uuid = std::move(gpu->uuid)};
    }
    if (request == DeviceRequest::cuda) {
      throw EnvironmentError(
          "no CUDA GPU is usable here (no driver, or no device); use --device emulator");
    }
  }
  return emulator_device(installation);
}

bool measures_time(const Device& device) {
  return device.kind == DeviceKind::cuda || std::getenv("WARPGRADE_MEASURE_ON_EMULATOR") != nullptr;
}

}  // namespace warpgrade
