#include "harness/golden/variant_library.h"

#include <dlfcn.h>

#include <fstream>
#include <iterator>

namespace warpgrade {

GoldenVariantLibrary::GoldenVariantLibrary(const std::filesystem::path& file) {
  if (file.empty()) {
    problem_ = "there is no golden.cpp";
    return;
  }
  std::ifstream in(file, std::ios::binary);
  constexpr std::string_view kElf =
      "\x7f"
      "ELF";
  std::string begin(kElf.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin != kElf) {
    in.clear();
    in.seekg(0);
    problem_.assign(std::istreambuf_iterator<char>(in), {});
    if (problem_.empty()) problem_ = "they were not built";
    return;
  }
  handle_ = {dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL),
             [](void* handle) {
               if (handle != nullptr) dlclose(handle);
             }};
  auto* const get =
      handle_ == nullptr
          ? nullptr
          : reinterpret_cast<GoldenVariantsFunction>(dlsym(handle_.get(), kGoldenVariantsFunction));
  if (get == nullptr) {
    const char* reason = dlerror();
    problem_ = reason == nullptr ? "their library cannot be loaded" : reason;
    return;
  }
  table_ = get();
}

std::span<const GoldenVariant> GoldenVariantLibrary::all() const {
  return table_ == nullptr ? std::span<const GoldenVariant>()
                           : std::span(table_->all, table_->count);
}

std::uint64_t GoldenVariantLibrary::run(const GoldenCall& call, std::uint32_t number,
                                        std::uint32_t other, std::uint64_t most_steps) const {
  std::uint64_t steps = 0;
  table_->run(call, number, other, most_steps, &steps);
  return steps;
}

std::filesystem::path golden_variants_file(const std::filesystem::path& library, const Lab& lab) {
  return library / "golden" / "variants" / (lab.id + ".so");
}

}  // namespace warpgrade
