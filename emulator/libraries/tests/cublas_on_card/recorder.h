#pragma once

#include <cublas_v2.h>

#include <complex>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

// Calls of cuBLAS with fixed inputs, whose statuses and results are written to standard output. The
// same program runs on a GPU and under warpsim; scripts/gpu_libraries holds one output against the
// other.

namespace cublas_on_card {

enum class Type { f32, f64, c32, c64, f16, bf16, i32 };

inline const std::vector<Type> kReal = {Type::f32, Type::f64};
inline const std::vector<Type> kComplex = {Type::c32, Type::c64};
inline const std::vector<Type> kAll = {Type::f32, Type::f64, Type::c32, Type::c64};

[[nodiscard]] bool is_complex(Type type);
/// The type of a modulus.
[[nodiscard]] Type real_of(Type type);
/// The letter that names of functions have.
[[nodiscard]] char letter(Type type);

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<std::complex<double>>;

/// What an argument is for.
enum class Role {
  input,
  update,  // read and written
  result,  // written; what it holds before is not set
  scalar,  // read; in host or device memory by the pointer mode
  scalar_result,  // read and written; likewise
};

struct Array {
  Type type;
  Role role;
  Values values;
  bool solved = false;  // a triangular matrix of a system of equations
};

/// Any pointer that a function takes.
struct Address {
  void* at = nullptr;
  template <class T>
  operator T*() const {  // NOLINT(google-explicit-constructor): it is passed to every signature
    return static_cast<T*>(at);
  }
};
using Addresses = std::vector<Address>;

/// How far two right results may be apart.
struct Bound {
  /// Operations of the longest sum; 0: results must be equal.
  double operations = 0;
  /// The type in which sums are rounded.
  Type type = Type::f64;
  /// Relative to the result itself, not to the sum of moduli.
  bool relative = false;
  /// The modulus that sums are relative to, where it is not found by a call with moduli.
  double modulus = 0;
};

/// Numbers in [-1, 1] that fill the type's significand, and have a zero imaginary part if it is
/// real. Every call returns others, in an order that is the same in every run.
[[nodiscard]] Values numbers(Type type, std::size_t count);
/// n elements with an increment, and NaN between them.
[[nodiscard]] Values spread(const Values& elements, int increment);
/// A matrix with a leading dimension above its number of rows, and NaN below them.
[[nodiscard]] Values matrix(Type type, int rows, int columns, int leading);
/// A triangle, and NaN in the other. @param unit  the diagonal is NaN, too
Values triangle(Type type, int n, int leading, bool upper, bool unit);
/// Column-major elements of a band or a packed triangle, from those of triangle().
[[nodiscard]] Values banded(const Values& full, int rows, int columns, int from, int below,
                            int above, int leading);
[[nodiscard]] Values packed(const Values& full, int n, int leading, bool upper);
/// A matrix of which the elements outside the triangle are small beside the diagonal.
[[nodiscard]] Values well_conditioned(Values values, Type type, int n, int leading);

class Recorder {
 public:
  using Call = std::function<cublasStatus_t(const Addresses&)>;

  Recorder();
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] cublasHandle_t handle() const { return handle_; }
  /// Runs a call with its scalars in host memory and then in device memory, and writes a line each:
  /// its name, the pointer mode, the status, the results, and bounds for them.
  void record(const std::string& name, const std::vector<Array>& arrays, const Bound& bound,
              const Call& call);
  /// A line of a status without results.
  void status(const std::string& name, cublasStatus_t status);

 private:
  struct Outcome {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    Values results;
  };
  Outcome run(const std::vector<Array>& arrays, const Call& call);

  cublasHandle_t handle_ = nullptr;
};

void record_level1(Recorder& recorder);
void record_level2(Recorder& recorder);
void record_level3(Recorder& recorder);
void record_gemm(Recorder& recorder);
void record_refusals(Recorder& recorder);

}  // namespace cublas_on_card

/// A function by the type of its elements: BY_TYPE(type, gemm, ...) calls cublasSgemm and the like.
#define BY_TYPE_REAL(type, name, ...) \
  ((type) == Type::f32 ? cublasS##name(__VA_ARGS__) : cublasD##name(__VA_ARGS__))
#define BY_TYPE_COMPLEX(type, name, ...) \
  ((type) == Type::c32 ? cublasC##name(__VA_ARGS__) : cublasZ##name(__VA_ARGS__))
#define BY_TYPE(type, name, ...)                               \
  (is_complex(type) ? BY_TYPE_COMPLEX(type, name, __VA_ARGS__) \
                    : BY_TYPE_REAL(type, name, __VA_ARGS__))
/// One name for real types, another for complex ones.
#define BY_TYPE_2(type, real, complex, ...)                       \
  (is_complex(type) ? BY_TYPE_COMPLEX(type, complex, __VA_ARGS__) \
                    : BY_TYPE_REAL(type, real, __VA_ARGS__))
