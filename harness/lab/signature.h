#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/expression.h"
#include "harness/core/names.h"
#include "harness/data/element_type.h"
#include "harness/data/sparse.h"
#include "harness/lab/tolerance.h"
#include "harness/tolerance/output_comparison.h"

namespace warpgrade {

enum class Role : std::uint8_t {
  input,
  output,
  inout,
  scalar,
  stream,  // a cudaStream_t in which the inputs are copied and the work has to be done
};
/// In lab.toml, and in the worker's request.
constexpr auto names_of(Role) {
  return names_up_to<Role::stream>("input", "output", "inout", "scalar", "stream");
}

/// Where an array is.
enum class Memory : std::uint8_t {
  host,  // pageable
  device,
  pinned,  // page-locked host memory
  mapped,  // the same, used by kernels directly
  managed,  // by cudaMallocManaged
};
/// In lab.toml, and in the worker's request.
constexpr auto names_of(Memory) {
  return names_up_to<Memory::managed>("host", "device", "pinned", "mapped", "managed");
}

/// A structure of C++ that an array's elements are, or whose members are arrays.
struct RecordType {
  struct Field {
    std::string name;
    ElementType type = ElementType::f32;
    std::size_t offset = 0;  // bytes, as the C++ ABI places it
  };
  std::string name;  // the structure in the lab's header: "Particle"
  std::string arrays;  // the structure of pointers to the fields' arrays; empty: there is none
  std::vector<Field> fields;
  std::size_t size = 0;  // bytes, with padding
  std::size_t alignment = 1;
};

/// How an array belongs to a parameter with fields.
enum class FieldLayout : std::uint8_t {
  plain,  // the array is the parameter
  array_of_structs,  // a field of the elements: `const Particle* p`
  by_value,  // no array: a member of a scalar that is a structure: `Particle p`
  struct_of_arrays,  // a member of a structure of pointers: `ParticleArrays p`
};

/// One parameter of the function that a student writes, or one field of a parameter with fields:
/// these have adjacent entries, named "p.x", "p.y".
struct Parameter {
  std::string name;
  Role role = Role::input;
  ElementType type = ElementType::f32;
  Memory memory = Memory::device;  // of arrays
  std::vector<Expression> shape;  // of arrays, over the case's dims
  std::optional<Expression> value;  // of scalars, over the case's dims
  std::optional<Tolerance> tolerance = std::nullopt;  // of an output; nothing: the lab's
  OutputComparison comparison = {};  // of an output
  // Of fields only:
  FieldLayout layout = FieldLayout::plain;
  std::string record;  // the name of its RecordType
  std::string group;  // the parameter that it is a field of: "p"
  std::size_t field = 0;  // its index in the record
  // Of an array of a sparse matrix only:
  std::string matrix;  // the name of its SparseMatrix
  SparsePart part = SparsePart::values;
  /// What a function returns: an output of one element in host memory, not in the signature.
  bool is_returned = false;

  [[nodiscard]] bool is_array() const { return role != Role::scalar && role != Role::stream; }
  [[nodiscard]] bool is_read() const { return role == Role::input || role == Role::inout; }
  [[nodiscard]] bool is_written() const { return role == Role::output || role == Role::inout; }
  /// The parameter in the signature.
  [[nodiscard]] const std::string& argument() const { return group.empty() ? name : group; }
};

/// A sparse matrix in several input arrays.
struct SparseMatrix {
  std::string name;
  SparseFormat format = SparseFormat::csr;
  std::optional<Expression> rows, columns, nonzeros;  // over the case's dims
  std::optional<Expression> longest;  // of jds, or if lab.toml gives it
};

/// One of the functions that a student writes; all are called in order, with the same arrays.
struct Function {
  std::string name;
  std::vector<std::string> parameters;  // names in its signature's order: Parameter::argument()
  std::string returns = {};  // the name of the parameter that it returns; empty: void
  std::optional<Expression> times;  // how often in a row, over the case's dims; nothing: once
};

/// A setting of the datasets whose values have names: 0 is the first.
struct Setting {
  std::string name;
  std::vector<std::string> values;
};

/// A size that follows from a dataset's dims, and is one of them for formulas and golden functions.
struct DerivedSize {
  std::string name;
  Expression value;  // over dims and the sizes before it
};

/// A mandatory edge category for which a lab has no case.
struct Waiver {
  std::string category;
  std::string reason;  // a sentence, which the handout has, too
};

}  // namespace warpgrade
