#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

#include "emulator/libraries/cublasLt/descriptors.h"

// Creation of descriptors, and their attributes, from one table for each kind.

namespace warpsim::cublas_lt {
namespace {

/// An attribute: where it lies in its descriptor.
struct Attribute {
  int number;
  const char* name;
  std::size_t offset, bytes;
};
/// One that cublasLt has and this library does not. Its default, zeros, is accepted.
constexpr std::size_t kNotCovered = ~std::size_t{0};

#define WARPSIM_ATTRIBUTE(number, name, Type, member)          \
  Attribute {                                                  \
    number, name, offsetof(Type, member), sizeof(Type::member) \
  }

constexpr Attribute kLayoutAttributes[] = {
    WARPSIM_ATTRIBUTE(0, "CUBLASLT_MATRIX_LAYOUT_TYPE", Layout, type),
    WARPSIM_ATTRIBUTE(1, "CUBLASLT_MATRIX_LAYOUT_ORDER", Layout, order),
    WARPSIM_ATTRIBUTE(2, "CUBLASLT_MATRIX_LAYOUT_ROWS", Layout, rows),
    WARPSIM_ATTRIBUTE(3, "CUBLASLT_MATRIX_LAYOUT_COLS", Layout, columns),
    WARPSIM_ATTRIBUTE(4, "CUBLASLT_MATRIX_LAYOUT_LD", Layout, leading),
    WARPSIM_ATTRIBUTE(5, "CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT", Layout, batch),
    WARPSIM_ATTRIBUTE(6, "CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET", Layout, stride),
    {7, "CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET", kNotCovered, 8},
    {8, "CUBLASLT_MATRIX_LAYOUT_BATCH_MODE", kNotCovered, 4},
};

using Matmul = MatmulDescriptor;
constexpr Attribute kMatmulAttributes[] = {
    WARPSIM_ATTRIBUTE(0, "CUBLASLT_MATMUL_DESC_COMPUTE_TYPE", Matmul, compute),
    WARPSIM_ATTRIBUTE(1, "CUBLASLT_MATMUL_DESC_SCALE_TYPE", Matmul, scale),
    WARPSIM_ATTRIBUTE(2, "CUBLASLT_MATMUL_DESC_POINTER_MODE", Matmul, pointer_mode),
    WARPSIM_ATTRIBUTE(3, "CUBLASLT_MATMUL_DESC_TRANSA", Matmul, transa),
    WARPSIM_ATTRIBUTE(4, "CUBLASLT_MATMUL_DESC_TRANSB", Matmul, transb),
    WARPSIM_ATTRIBUTE(5, "CUBLASLT_MATMUL_DESC_TRANSC", Matmul, transc),
    {6, "CUBLASLT_MATMUL_DESC_FILL_MODE", kNotCovered, 4},
    WARPSIM_ATTRIBUTE(7, "CUBLASLT_MATMUL_DESC_EPILOGUE", Matmul, epilogue),
    WARPSIM_ATTRIBUTE(8, "CUBLASLT_MATMUL_DESC_BIAS_POINTER", Matmul, bias),
    WARPSIM_ATTRIBUTE(10, "CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE", Matmul, bias_stride),
    WARPSIM_ATTRIBUTE(11, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER", Matmul, auxiliary),
    WARPSIM_ATTRIBUTE(12, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD", Matmul, auxiliary_leading),
    WARPSIM_ATTRIBUTE(13, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE", Matmul,
                      auxiliary_stride),
    {14, "CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE", kNotCovered, 8},
    WARPSIM_ATTRIBUTE(15, "CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET", Matmul, multiprocessors),
    {17, "CUBLASLT_MATMUL_DESC_A_SCALE_POINTER", kNotCovered, 8},
    {18, "CUBLASLT_MATMUL_DESC_B_SCALE_POINTER", kNotCovered, 8},
    {19, "CUBLASLT_MATMUL_DESC_C_SCALE_POINTER", kNotCovered, 8},
    {20, "CUBLASLT_MATMUL_DESC_D_SCALE_POINTER", kNotCovered, 8},
    {21, "CUBLASLT_MATMUL_DESC_AMAX_D_POINTER", kNotCovered, 8},
    WARPSIM_ATTRIBUTE(22, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE", Matmul, auxiliary_type),
    {23, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER", kNotCovered, 8},
    {24, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER", kNotCovered, 8},
    WARPSIM_ATTRIBUTE(25, "CUBLASLT_MATMUL_DESC_FAST_ACCUM", Matmul, fast_accumulation),
    WARPSIM_ATTRIBUTE(26, "CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE", Matmul, bias_type),
    {31, "CUBLASLT_MATMUL_DESC_A_SCALE_MODE", kNotCovered, 4},
    {32, "CUBLASLT_MATMUL_DESC_B_SCALE_MODE", kNotCovered, 4},
    {33, "CUBLASLT_MATMUL_DESC_C_SCALE_MODE", kNotCovered, 4},
    {34, "CUBLASLT_MATMUL_DESC_D_SCALE_MODE", kNotCovered, 4},
    {35, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE", kNotCovered, 4},
    {36, "CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER", kNotCovered, 8},
    {37, "CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE", kNotCovered, 4},
    {38, "CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR", kNotCovered, 8},
};

constexpr Attribute kPreferenceAttributes[] = {
    WARPSIM_ATTRIBUTE(0, "CUBLASLT_MATMUL_PREF_SEARCH_MODE", Preference, search_mode),
    WARPSIM_ATTRIBUTE(1, "CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES", Preference, workspace_bytes),
    WARPSIM_ATTRIBUTE(3, "CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK", Preference, reductions),
    WARPSIM_ATTRIBUTE(5, "CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES", Preference, alignments[0]),
    WARPSIM_ATTRIBUTE(6, "CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES", Preference, alignments[1]),
    WARPSIM_ATTRIBUTE(7, "CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES", Preference, alignments[2]),
    WARPSIM_ATTRIBUTE(8, "CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES", Preference, alignments[3]),
    WARPSIM_ATTRIBUTE(9, "CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT", Preference, waves),
    WARPSIM_ATTRIBUTE(12, "CUBLASLT_MATMUL_PREF_IMPL_MASK", Preference, implementations),
};
#undef WARPSIM_ATTRIBUTE

std::span<const Attribute> attributes_of(const Layout& /*kind*/) {
  return kLayoutAttributes;
}
std::span<const Attribute> attributes_of(const MatmulDescriptor& /*kind*/) {
  return kMatmulAttributes;
}
std::span<const Attribute> attributes_of(const Preference& /*kind*/) {
  return kPreferenceAttributes;
}

/// The attribute of that number; reports one that does not exist.
template <class Descriptor>
const Attribute* find_attribute(Request& request, const Descriptor* descriptor, int number) {
  (void)cublas_lt::descriptor(request, "the descriptor", descriptor);
  for (const Attribute& attribute : attributes_of(Descriptor{})) {
    if (attribute.number == number) return &attribute;
  }
  request.refuse(fmt::format("attr is {}", number), "an attribute of such a descriptor");
  return nullptr;
}

template <class Descriptor>
Status set_attribute(const Caller& caller, Descriptor* descriptor, int number, const void* data,
                     std::size_t bytes) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  const Attribute* const attribute = find_attribute(request, descriptor, number);
  request.pointer("buf", data);
  if (!request.valid()) return request.status();
  if (bytes != attribute->bytes) {
    request.refuse(fmt::format("sizeInBytes is {}", bytes),
                   fmt::format("{}, the size of {}", attribute->bytes, attribute->name));
    return request.status();
  }
  if (attribute->offset != kNotCovered) {
    std::memcpy(reinterpret_cast<std::byte*>(descriptor) + attribute->offset, data, bytes);
    return Status::success;
  }
  const auto* const first = static_cast<const std::byte*>(data);
  const auto is_zero = [](std::byte value) { return value == std::byte{}; };
  if (!std::all_of(first, first + bytes, is_zero)) {
    request.refuse(fmt::format("{} is set", attribute->name),
                   "the attributes that docs/libraries.md lists", Status::not_supported);
  }
  return request.status();
}

template <class Descriptor>
Status get_attribute(const Caller& caller, const Descriptor* descriptor, int number, void* data,
                     std::size_t bytes, std::size_t* written) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  const Attribute* const attribute = find_attribute(request, descriptor, number);
  if (!request.valid()) return request.status();
  if (written != nullptr) *written = attribute->bytes;
  if (bytes == 0 && written != nullptr) return Status::success;  // asks for the size
  request.pointer("buf", data);
  if (bytes < attribute->bytes) {
    request.refuse(fmt::format("sizeInBytes is {}", bytes),
                   fmt::format("{}, the size of {}", attribute->bytes, attribute->name));
  }
  if (!request.valid()) return request.status();
  if (attribute->offset == kNotCovered) {
    std::memset(data, 0, attribute->bytes);
  } else {
    std::memcpy(data, reinterpret_cast<const std::byte*>(descriptor) + attribute->offset,
                attribute->bytes);
  }
  return Status::success;
}

/// The size of the structure in the toolkit's header.
template <class Descriptor>
constexpr std::size_t kOpaqueBytes = 8 * sizeof(std::uint64_t);
template <>
constexpr std::size_t kOpaqueBytes<MatmulDescriptor> = 32 * sizeof(std::uint64_t);
static_assert(sizeof(Layout) <= kOpaqueBytes<Layout>);
static_assert(sizeof(MatmulDescriptor) <= kOpaqueBytes<MatmulDescriptor>);
static_assert(sizeof(Preference) <= kOpaqueBytes<Preference>);

/// @param size  of the program's structure
template <class Descriptor>
Status initialize(const Caller& caller, Descriptor* place, std::size_t size,
                  const Descriptor& value) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  request.pointer("the descriptor", place);
  if (size < sizeof(Descriptor)) {
    request.refuse(fmt::format("size is {}", size), "the size of the descriptor's structure");
  }
  if (request.valid()) *place = value;
  return request.status();
}

template <class Descriptor>
Status create(const Caller& caller, Descriptor** place, const Descriptor& value) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  request.pointer("the place of the descriptor", place);
  if (!request.valid()) return request.status();
  // A program may copy the whole structure.
  void* const memory = std::calloc(1, kOpaqueBytes<Descriptor>);
  if (memory == nullptr) return Status::alloc_failed;
  *place = new (memory) Descriptor(value);
  return Status::success;
}

template <class Descriptor>
Status destroy(const Caller& caller, Descriptor* descriptor) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  (void)cublas_lt::descriptor(request, "the descriptor", descriptor);
  if (!request.valid()) return request.status();
  descriptor->magic = 0;
  std::free(descriptor);
  return Status::success;
}

Layout layout_of(DataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  return {.type = type, .rows = rows, .columns = columns, .leading = leading};
}

Status create_layout(const Caller& caller, Layout** place, DataType type, std::uint64_t rows,
                     std::uint64_t columns, std::int64_t leading) {
  return create(caller, place, layout_of(type, rows, columns, leading));
}
Status initialize_layout(const Caller& caller, Layout* place, std::size_t size, DataType type,
                         std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  return initialize(caller, place, size, layout_of(type, rows, columns, leading));
}

Status create_matmul(const Caller& caller, Matmul** place, Compute compute, DataType scale) {
  return create(caller, place, Matmul{.compute = compute, .scale = scale});
}
Status initialize_matmul(const Caller& caller, Matmul* place, std::size_t size, Compute compute,
                         DataType scale) {
  return initialize(caller, place, size, Matmul{.compute = compute, .scale = scale});
}

Status create_preference(const Caller& caller, Preference** place) {
  return create(caller, place, Preference{});
}
Status initialize_preference(const Caller& caller, Preference* place, std::size_t size) {
  return initialize(caller, place, size, Preference{});
}

}  // namespace
}  // namespace warpsim::cublas_lt

using warpsim::cublas_lt::Layout;
using warpsim::cublas_lt::MatmulDescriptor;
using warpsim::cublas_lt::Preference;

WARPSIM_EXPORT_LT(cublasLtMatrixLayoutCreate, create_layout)
WARPSIM_EXPORT_LT(cublasLtMatrixLayoutInit_internal, initialize_layout)
WARPSIM_EXPORT_LT(cublasLtMatrixLayoutDestroy, destroy<Layout>)
WARPSIM_EXPORT_LT(cublasLtMatrixLayoutSetAttribute, set_attribute<Layout>)
WARPSIM_EXPORT_LT(cublasLtMatrixLayoutGetAttribute, get_attribute<Layout>)
WARPSIM_EXPORT_LT(cublasLtMatmulDescCreate, create_matmul)
WARPSIM_EXPORT_LT(cublasLtMatmulDescInit_internal, initialize_matmul)
WARPSIM_EXPORT_LT(cublasLtMatmulDescDestroy, destroy<MatmulDescriptor>)
WARPSIM_EXPORT_LT(cublasLtMatmulDescSetAttribute, set_attribute<MatmulDescriptor>)
WARPSIM_EXPORT_LT(cublasLtMatmulDescGetAttribute, get_attribute<MatmulDescriptor>)
WARPSIM_EXPORT_LT(cublasLtMatmulPreferenceCreate, create_preference)
WARPSIM_EXPORT_LT(cublasLtMatmulPreferenceInit_internal, initialize_preference)
WARPSIM_EXPORT_LT(cublasLtMatmulPreferenceDestroy, destroy<Preference>)
WARPSIM_EXPORT_LT(cublasLtMatmulPreferenceSetAttribute, set_attribute<Preference>)
WARPSIM_EXPORT_LT(cublasLtMatmulPreferenceGetAttribute, get_attribute<Preference>)
