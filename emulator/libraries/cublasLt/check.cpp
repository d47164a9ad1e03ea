#include <limits>

#include "emulator/libraries/cublasLt/matmul.h"

// What of a product's descriptors is refused, and its arguments.

namespace warpsim::cublas_lt {
namespace {

/// A matrix as it is stored: its order, size and leading dimension.
void check_layout(Request& request, std::string_view name, const Layout& m) {
  const int order = static_cast<int>(m.order);
  if (order != 0 && order != 1) {
    request.refuse(fmt::format("the order of {} is {}", name, order),
                   "CUBLASLT_ORDER_COL or CUBLASLT_ORDER_ROW",
                   order > 0 && order < 5 ? Status::not_supported : Status::invalid_value);
  }
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  if (m.rows > most || m.columns > most) {
    request.refuse(fmt::format("{} has {} x {} elements", name, m.rows, m.columns),
                   fmt::format("at most {} rows and columns", most), Status::not_supported);
  }
  const bool by_rows = m.order == Order::row;
  const auto least = static_cast<std::int64_t>(by_rows ? m.columns : m.rows);
  if (m.leading < least) {
    request.refuse(fmt::format("the leading dimension of {} is {}", name, m.leading),
                   fmt::format("at least {}, the number of its {} as it is stored", least,
                               by_rows ? "columns" : "rows"));
  }
  if (m.batch < 1) {
    request.refuse(fmt::format("the batch count of {} is {}", name, m.batch), "at least 1");
  }
}

void check_equal(Request& request, std::string_view first_name, std::uint64_t first,
                 std::string_view second_name, std::uint64_t second) {
  if (first != second) {
    request.refuse(fmt::format("{} is {}, and {} is {}", first_name, first, second_name, second),
                   "equal sizes");
  }
}

bool is_epilogue(std::uint32_t value) {
  switch (value) {
    case kDefault:
    case kRelu:
    case kBias:
    case kRelu | kBias:
    case kGelu:
    case kGelu | kBias:
    case kRelu | kAuxiliary:
    case kRelu | kAuxiliary | kBias:
    case kGelu | kAuxiliary:
    case kGelu | kAuxiliary | kBias:
      return true;
    default:
      return false;
  }
}

void check_types(Request& request, Product& p) {
  const MatmulDescriptor& d = p.descriptor;
  const auto scalar = cublas::scalar_of(p.a.type, p.b.type, p.c.type, d.compute);
  if (!scalar || p.c.type != p.d.type) {
    request.refuse(fmt::format("A is {}, B is {}, C is {}, D is {}, with compute type {}",
                               libraries::in_words(p.a.type), libraries::in_words(p.b.type),
                               libraries::in_words(p.c.type), libraries::in_words(p.d.type),
                               static_cast<int>(d.compute)),
                   "types that docs/libraries.md lists", Status::not_supported);
    return;
  }
  p.scalar = *scalar;
  if (d.scale != p.scalar) {
    request.refuse(fmt::format("the scale type is {}", libraries::in_words(d.scale)),
                   fmt::format("{}, with these matrices and this compute type",
                               libraries::in_words(p.scalar)));
  }
}

void check_parts(Request& request, const Product& p) {
  const MatmulDescriptor& d = p.descriptor;
  const auto number = static_cast<int>(d.epilogue);
  if (!is_epilogue(d.epilogue)) {
    request.refuse(fmt::format("the epilogue is {}", number),
                   "an epilogue that docs/libraries.md lists", Status::not_supported);
  }
  if (d.epilogue != kDefault && libraries::is_complex(p.d.type)) {
    request.refuse(
        fmt::format("the epilogue is {}, and D is {}", number, libraries::in_words(p.d.type)),
        "CUBLASLT_EPILOGUE_DEFAULT for complex matrices", Status::not_supported);
  }
  if (d.epilogue != kDefault && p.d.order == Order::row) {
    request.refuse(fmt::format("the epilogue is {}, and D is in row order", number),
                   "D in column order", Status::not_supported);
  }
  if (d.pointer_mode < 0 || d.pointer_mode >= kPointerModes) {
    request.refuse(fmt::format("the pointer mode is {}", d.pointer_mode),
                   "a value of cublasLtPointerMode_t");
  } else if (d.pointer_mode > 1) {
    request.refuse(fmt::format("the pointer mode is {}, with a vector of factors", d.pointer_mode),
                   "CUBLASLT_POINTER_MODE_HOST or CUBLASLT_POINTER_MODE_DEVICE",
                   Status::not_supported);
  }
  for (const auto& [name, type] :
       {std::pair{"bias", p.bias_type()}, {"auxiliary matrix", p.auxiliary_type()}}) {
    if (!libraries::is_known(type) ||
        libraries::is_complex(type) != libraries::is_complex(p.d.type)) {
      request.refuse(fmt::format("the type of the {} is {}", name, libraries::in_words(type)),
                     "a real type that docs/libraries.md lists", Status::not_supported);
    }
  }
}

}  // namespace

DataType Product::bias_type() const {
  return descriptor.bias_type < 0 ? d.type : static_cast<DataType>(descriptor.bias_type);
}

DataType Product::auxiliary_type() const {
  return descriptor.auxiliary_type < 0 ? d.type : static_cast<DataType>(descriptor.auxiliary_type);
}

Product check_matmul(Request& request, const void* handle, const MatmulDescriptor* matmul,
                     const Layout* a, const Layout* b, const Layout* c, const Layout* d) {
  check_handle(request, handle);
  Product p = {.descriptor = descriptor(request, "computeDesc", matmul),
               .a = descriptor(request, "Adesc", a),
               .b = descriptor(request, "Bdesc", b),
               .c = descriptor(request, "Cdesc", c),
               .d = descriptor(request, "Ddesc", d)};
  if (!request.valid()) return p;
  const MatmulDescriptor& m = p.descriptor;
  request.operation("transa", m.transa).operation("transb", m.transb);
  if (m.transc != Operation::none) {
    request.refuse("transc is not CUBLAS_OP_N", "CUBLAS_OP_N", Status::not_supported);
  }
  check_layout(request, "A", p.a);
  check_layout(request, "B", p.b);
  check_layout(request, "C", p.c);
  check_layout(request, "D", p.d);
  const bool plain_a = m.transa == Operation::none;
  const bool plain_b = m.transb == Operation::none;
  check_equal(request, "the number of rows of op(A)", plain_a ? p.a.rows : p.a.columns, "that of D",
              p.d.rows);
  check_equal(request, "the number of columns of op(B)", plain_b ? p.b.columns : p.b.rows,
              "that of D", p.d.columns);
  check_equal(request, "the number of columns of op(A)", plain_a ? p.a.columns : p.a.rows,
              "the number of rows of op(B)", plain_b ? p.b.rows : p.b.columns);
  check_equal(request, "the number of rows of C", p.c.rows, "that of D", p.d.rows);
  check_equal(request, "the number of columns of C", p.c.columns, "that of D", p.d.columns);
  for (const auto& [name, layout] : {std::pair{"A", &p.a}, {"B", &p.b}, {"C", &p.c}}) {
    check_equal(request, fmt::format("the batch count of {}", name),
                static_cast<std::uint64_t>(layout->batch), "that of D",
                static_cast<std::uint64_t>(p.d.batch));
  }
  check_types(request, p);
  check_parts(request, p);
  return p;
}

void check_epilogue(Request& request, const Product& p) {
  const MatmulDescriptor& d = p.descriptor;
  if (p.has(kBias) && d.bias == nullptr) {
    request.refuse("the epilogue has a bias, and CUBLASLT_MATMUL_DESC_BIAS_POINTER is not set",
                   "its address");
  }
  if (!p.has(kAuxiliary)) return;
  if (d.auxiliary == nullptr) {
    request.refuse(
        "the epilogue keeps its input, and CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER is not set",
        "its address");
  }
  if (d.auxiliary_leading < p.rows() || (p.has(kRelu) && d.auxiliary_leading % 128 != 0)) {
    request.refuse(fmt::format("CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD is {}", d.auxiliary_leading),
                   fmt::format("at least {}, the number of rows of D{}", p.rows(),
                               p.has(kRelu) ? ", and a multiple of 128, as it counts bits" : ""));
  }
}

Arguments arguments_of(const Product& p, const Operands& operands, Use inputs, bool reads_c) {
  const auto matrix = [](const char* name, const void* pointer, const Layout& m, Use use) {
    return libraries::matrix_of(name, pointer, libraries::bytes_of(m.type),
                                {.rows = static_cast<std::int64_t>(m.rows),
                                 .columns = static_cast<std::int64_t>(m.columns),
                                 .leading = m.leading,
                                 .batch = m.batch,
                                 .stride = m.stride,
                                 .by_rows = m.order == Order::row},
                                use);
  };
  Arguments arguments = {matrix("A", operands.a, p.a, inputs), matrix("B", operands.b, p.b, inputs),
                         matrix("C", operands.c, p.c, libraries::read_if(reads_c)),
                         matrix("D", operands.d, p.d, Use::write)};
  const MatmulDescriptor& d = p.descriptor;
  if (p.has(kBias)) {
    const std::size_t bytes = libraries::bytes_of(p.bias_type());
    LibraryArgument bias = libraries::vector_of("bias", d.bias, bytes, p.rows(), 1, Use::read);
    bias.side.row_pitch = static_cast<std::uint64_t>(d.bias_stride) * bytes;
    bias.box.height = static_cast<std::uint64_t>(p.d.batch);
    arguments.push_back(std::move(bias));
  }
  if (p.has(kAuxiliary)) {
    // Of ReLU a bit for each element.
    const bool bits = p.has(kRelu);
    const std::int64_t unit = bits ? 8 : 1;
    arguments.push_back(libraries::matrix_of("auxiliary", d.auxiliary,
                                             bits ? 1 : libraries::bytes_of(p.auxiliary_type()),
                                             {.rows = (p.rows() + unit - 1) / unit,
                                              .columns = p.columns(),
                                              .leading = d.auxiliary_leading / unit,
                                              .batch = p.d.batch,
                                              .stride = d.auxiliary_stride / unit},
                                             Use::write, "ld"));
  }
  return arguments;
}

}  // namespace warpsim::cublas_lt
