#include <algorithm>
#include <numeric>
#include <vector>

#include "emulator/libraries/cusparse/creation.h"
#include "emulator/libraries/cusparse/matrix.h"

// Functions on arrays of indices, without descriptors of matrices: conversions and sorting.

namespace warpsim::cusparse {
namespace {

LibraryArgument ints(const char* name, const int* pointer, std::int64_t count, Use use) {
  return vector_of(name, pointer, count, 1, use);
}

/// A matrix in CSR or CSC format of 32-bit indices, whose own names its arrays have.
SparseMatrix compressed_matrix(Format format, int rows, int columns, int entries,
                               const int* offsets, const int* indices, IndexBase base) {
  return {.format = format,
          .rows = rows,
          .columns = columns,
          .entries = entries,
          .offsets = const_cast<int*>(offsets),
          .indices = const_cast<int*>(indices),
          .base = base};
}

IndexBase base_of(Request& request, const LegacyDescriptor* descriptor) {
  return request.descriptor("descrA", descriptor).base;
}

Status coo_to_csr(const Caller& caller, Handle* handle, const int* rows, int entries, int m,
                  int* offsets, IndexBase base) {
  Request request(caller, handle);
  request.size("nnz", entries).size("m", m);
  const auto first = static_cast<int>(base);
  request.checks([=](const Arguments&, const Arguments& arguments) -> std::optional<WrongContents> {
    int before = first;
    for (int i = 0; i < entries; ++i) {
      const int row = arguments[0].as<int>()[i];
      if (row < first || row >= m + first) {
        return WrongContents{.got = fmt::format("cooRowInd[{}] is {}", i, row),
                             .want = fmt::format("{} to {}: m is {}, and the index base is {}",
                                                 first, m - 1 + first, m, first)};
      }
      if (row < before) {
        return WrongContents{
            .got = fmt::format("cooRowInd[{}] is {}, and the row before it is {}", i, row, before),
            .want = "entries in the order of rows"};
      }
      before = row;
    }
    return std::nullopt;
  });
  return request.submit(
      [=](const Arguments&) {
        return Arguments{ints("cooRowInd", rows, entries, Use::read),
                         ints("csrSortedRowPtr", offsets, std::int64_t{m} + 1, Use::write)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        int* const to = arguments[1].as<int>();
        std::fill_n(to, m + 1, 0);
        for (int i = 0; i < entries; ++i) ++to[arguments[0].as<int>()[i] - first + 1];
        to[0] = first;
        for (int i = 0; i < m; ++i) to[i + 1] += to[i];
      });
}

Status csr_to_coo(const Caller& caller, Handle* handle, const int* offsets, int entries, int m,
                  int* rows, IndexBase base) {
  Request request(caller, handle);
  request.size("nnz", entries).size("m", m);
  const SparseMatrix matrix = compressed_matrix(Format::csr, m, 0, entries, offsets, nullptr, base);
  request.checks([=](const Arguments&, const Arguments& arguments) {
    return wrong_offsets("the matrix", matrix, arguments[0].host);
  });
  return request.submit(
      [=](const Arguments&) {
        return Arguments{ints("csrSortedRowPtr", offsets, std::int64_t{m} + 1, Use::read),
                         ints("cooRowInd", rows, entries, Use::write)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        const int* const from = arguments[0].as<int>();
        const int first = static_cast<int>(base);
        for (int row = 0; row < m; ++row) {
          std::fill(arguments[1].as<int>() + from[row] - first,
                    arguments[1].as<int>() + from[row + 1] - first, row + first);
        }
      });
}

Status identity(const Caller& caller, Handle* handle, int count, int* permutation) {
  Request request(caller, handle);
  request.size("n", count);
  return request.submit(
      [=](const Arguments&) { return Arguments{ints("p", permutation, count, Use::write)}; },
      [=](const Arguments&, const Arguments& arguments) {
        std::iota(arguments[0].as<int>(), arguments[0].as<int>() + count, 0);
      });
}

std::size_t bytes_to_sort(int entries) {
  return 1024 + 16 * static_cast<std::size_t>(std::max(entries, 0));
}

Status sort_buffer_size(const Caller& caller, Handle* handle, int m, int n, int entries,
                        const int* /*first*/, const int* /*second*/, std::size_t* bytes) {
  Request request(caller, handle);
  request.size("m", m).size("n", n).size("nnz", entries);
  return request.gives_size(bytes, bytes_to_sort(entries));
}

/// The order of the entries from `begin` to before `end` by `less`, and equal ones as they are.
template <class Less>
std::vector<int> order_of(int begin, int end, Less less) {
  std::vector<int> order(static_cast<std::size_t>(end - begin));
  std::iota(order.begin(), order.end(), begin);
  std::ranges::stable_sort(order, less);
  return order;
}

void permute(const std::vector<int>& order, int begin, int* values) {
  std::vector<int> sorted;
  for (const int from : order) sorted.push_back(values[from]);
  std::ranges::copy(sorted, values + begin);
}

template <bool kByRows>
Status sort_coo(const Caller& caller, Handle* handle, int m, int n, int entries, int* rows,
                int* columns, int* permutation, void* buffer) {
  Request request(caller, handle);
  request.size("m", m).size("n", n).size("nnz", entries);
  return request.submit(
      [=](const Arguments&) {
        return Arguments{ints("cooRowsA", rows, entries, Use::update),
                         ints("cooColsA", columns, entries, Use::update),
                         ints("P", permutation, permutation == nullptr ? 0 : entries, Use::update),
                         buffer_of(buffer, bytes_to_sort(entries), Use::write)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        const int* const major = arguments[kByRows ? 0 : 1].as<int>();
        const int* const minor = arguments[kByRows ? 1 : 0].as<int>();
        const std::vector<int> order = order_of(0, entries, [&](int a, int b) {
          return std::pair(major[a], minor[a]) < std::pair(major[b], minor[b]);
        });
        for (std::size_t i = 0; i < 3; ++i) {
          if (i < 2 || permutation != nullptr) permute(order, 0, arguments[i].as<int>());
        }
      });
}

/// Sorts the indices of each row, or of each column in CSC.
template <Format kFormat>
Status sort_compressed(const Caller& caller, Handle* handle, int m, int n, int entries,
                       const LegacyDescriptor* descriptor, const int* offsets, int* indices,
                       int* permutation, void* buffer) {
  Request request(caller, handle);
  request.size("m", m).size("n", n).size("nnz", entries);
  const SparseMatrix matrix =
      compressed_matrix(kFormat, m, n, entries, offsets, indices, base_of(request, descriptor));
  request.checks([=](const Arguments&, const Arguments& arguments) {
    return wrong_structure("matA", matrix, arguments.data());
  });
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "matA", matrix, Use::read, Use::none);
        libraries::set_use(arguments[1], Use::update);
        arguments.push_back(
            ints("P", permutation, permutation == nullptr ? 0 : entries, Use::update));
        arguments.push_back(buffer_of(buffer, bytes_to_sort(entries), Use::write));
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        const int* const from = arguments[0].as<int>();
        int* const values = arguments[1].as<int>();
        const int first = static_cast<int>(matrix.base);
        for (std::int64_t line = 0; line < matrix.lines(); ++line) {
          const std::vector<int> order =
              order_of(from[line] - first, from[line + 1] - first,
                       [&](int a, int b) { return values[a] < values[b]; });
          permute(order, from[line] - first, values);
          if (permutation != nullptr) {
            permute(order, from[line] - first, arguments[3].as<int>());
          }
        }
      });
}

std::size_t bytes_to_transpose(int n, int entries) {
  return 1024 + 16 * static_cast<std::size_t>(std::max(entries, 0)) +
         8 * static_cast<std::size_t>(std::max(n, 0));
}

void check_transposition(Request& request, int m, int n, int entries, DataType type,
                         Action action) {
  request.size("m", m).size("n", n).size("nnz", entries);
  if (action != Action::symbolic && action != Action::numeric) {
    request.refuse(fmt::format("copyValues is {}", static_cast<int>(action)), "0 or 1");
  }
  if (!libraries::is_known(type)) {
    request.refuse(fmt::format("valType is {}", libraries::in_words(type)),
                   "a type that docs/libraries.md lists");
  }
}

Status transpose_buffer_size(const Caller& caller, Handle* handle, int m, int n, int entries,
                             const void* /*values*/, const int* /*offsets*/, const int* /*indices*/,
                             void* /*to_values*/, int* /*to_offsets*/, int* /*to_indices*/,
                             DataType type, Action action, IndexBase /*base*/, int /*algorithm*/,
                             std::size_t* bytes) {
  Request request(caller, handle);
  check_transposition(request, m, n, entries, type, action);
  return request.gives_size(bytes, bytes_to_transpose(n, entries));
}

/// From CSR to CSC.
Status transpose(const Caller& caller, Handle* handle, int m, int n, int entries,
                 const void* values, const int* offsets, const int* indices, void* to_values,
                 int* to_offsets, int* to_indices, DataType type, Action action, IndexBase base,
                 int /*algorithm*/, void* buffer) {
  Request request(caller, handle);
  check_transposition(request, m, n, entries, type, action);
  SparseMatrix from = compressed_matrix(Format::csr, m, n, entries, offsets, indices, base);
  SparseMatrix to = compressed_matrix(Format::csc, m, n, entries, to_offsets, to_indices, base);
  from.values = const_cast<void*>(values);
  to.values = to_values;
  from.type = to.type = type;
  const bool numeric = action == Action::numeric;
  request.checks([=](const Arguments&, const Arguments& arguments) {
    return wrong_structure("the CSR matrix", from, arguments.data());
  });
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "the CSR matrix", from, Use::read, libraries::read_if(numeric));
        append(arguments, "the CSC matrix", to, Use::write, numeric ? Use::write : Use::none);
        arguments.push_back(buffer_of(buffer, bytes_to_transpose(n, entries), Use::write));
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        const MatrixArrays source = arrays_of(from, arguments.data());
        const int first = static_cast<int>(base);
        std::vector<int> next(static_cast<std::size_t>(n) + 1);
        for_each_entry(from, source, [&](std::int64_t, std::int64_t column, std::int64_t) {
          ++next[static_cast<std::size_t>(column) + 1];
        });
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (std::size_t i = 0; i < next.size(); ++i) {
          arguments[3].as<int>()[i] = next[i] + first;
        }
        const std::size_t size = libraries::bytes_of(type);
        for_each_entry(from, source, [&](std::int64_t row, std::int64_t column, std::int64_t at) {
          const int place = next[static_cast<std::size_t>(column)]++;
          arguments[4].as<int>()[place] = static_cast<int>(row) + first;
          if (numeric) {
            std::copy_n(source.values + static_cast<std::size_t>(at) * size, size,
                        arguments[5].host + static_cast<std::size_t>(place) * size);
          }
        });
      });
}

Status create_legacy(const Caller& caller, LegacyDescriptor** descriptor) {
  return Creation(caller).make("descrA", descriptor, LegacyDescriptor{});
}

/// Sets a member, whose values are 0 to `kMost`.
template <auto kMember, int kMost>
Status set_legacy(const Caller& caller, LegacyDescriptor* descriptor, int value) {
  Creation creation(caller);
  creation.live("descrA", descriptor);
  if (value < 0 || value > kMost) {
    creation.refuse(fmt::format("the value is {}", value), fmt::format("0 to {}", kMost));
  }
  if (!creation.valid()) return creation.status();
  auto& member = descriptor->*kMember;
  member = static_cast<std::remove_reference_t<decltype(member)>>(value);
  return Status::success;
}

/// Of a descriptor that is not in use: 0.
template <auto kMember>
int get_legacy(const Caller& /*caller*/, const LegacyDescriptor* descriptor) {
  return registry<LegacyDescriptor>().has(descriptor) ? static_cast<int>(descriptor->*kMember) : 0;
}

}  // namespace
}  // namespace warpsim::cusparse

using warpsim::cusparse::LegacyDescriptor;

WARPSIM_EXPORT_OWN(cusparseXcoo2csr, coo_to_csr)
WARPSIM_EXPORT_OWN(cusparseXcsr2coo, csr_to_coo)
WARPSIM_EXPORT_OWN(cusparseCreateIdentityPermutation, identity)
WARPSIM_EXPORT_OWN(cusparseXcoosort_bufferSizeExt, sort_buffer_size)
WARPSIM_EXPORT_OWN(cusparseXcoosortByRow, sort_coo<true>)
WARPSIM_EXPORT_OWN(cusparseXcoosortByColumn, sort_coo<false>)
WARPSIM_EXPORT_OWN(cusparseXcsrsort_bufferSizeExt, sort_buffer_size)
WARPSIM_EXPORT_OWN(cusparseXcsrsort, sort_compressed<warpsim::cusparse::Format::csr>)
WARPSIM_EXPORT_OWN(cusparseXcscsort_bufferSizeExt, sort_buffer_size)
WARPSIM_EXPORT_OWN(cusparseXcscsort, sort_compressed<warpsim::cusparse::Format::csc>)
WARPSIM_EXPORT_OWN(cusparseCsr2cscEx2_bufferSize, transpose_buffer_size)
WARPSIM_EXPORT_OWN(cusparseCsr2cscEx2, transpose)
WARPSIM_EXPORT_OWN(cusparseCreateMatDescr, create_legacy)
WARPSIM_EXPORT_OWN(cusparseDestroyMatDescr, destroy<LegacyDescriptor>)
WARPSIM_EXPORT_OWN(cusparseSetMatType, set_legacy<&LegacyDescriptor::type, 3>)
WARPSIM_EXPORT_OWN(cusparseGetMatType, get_legacy<&LegacyDescriptor::type>)
WARPSIM_EXPORT_OWN(cusparseSetMatFillMode, set_legacy<&LegacyDescriptor::fill, 1>)
WARPSIM_EXPORT_OWN(cusparseGetMatFillMode, get_legacy<&LegacyDescriptor::fill>)
WARPSIM_EXPORT_OWN(cusparseSetMatDiagType, set_legacy<&LegacyDescriptor::diagonal, 1>)
WARPSIM_EXPORT_OWN(cusparseGetMatDiagType, get_legacy<&LegacyDescriptor::diagonal>)
WARPSIM_EXPORT_OWN(cusparseSetMatIndexBase, set_legacy<&LegacyDescriptor::base, 1>)
WARPSIM_EXPORT_OWN(cusparseGetMatIndexBase, get_legacy<&LegacyDescriptor::base>)
