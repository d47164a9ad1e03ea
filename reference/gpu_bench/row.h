#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// A lab's solution against what a user would take instead: what there is to measure. Each lab has
/// one file beside this one, which lists its rows and registers them; nothing else names a lab.
namespace against {

/// An array that the device reads.
struct Input {
  std::size_t bytes = 0;
  /// Fills it on the device. Another seed gives other contents.
  std::function<void(void* data, std::size_t bytes, unsigned seed)> fill;
};

/// The arrays of one call, all on the device.
struct Buffers {
  std::vector<const void*> in;
  void* out = nullptr;

  template <class T>
  [[nodiscard]] const T* input(std::size_t which) const {
    return static_cast<const T*>(in.at(which));
  }
  template <class T>
  [[nodiscard]] T* output() const {
    return static_cast<T*>(out);
  }
};

/// One way to do what a row asks for. It works on the default stream and need not wait. What it
/// allocates for itself, it may keep from the first call, which is not timed.
struct Contender {
  std::string name;
  std::function<void(const Buffers&)> run;
};

/// The lower bound of a row's time, measured in the same run.
enum class Ceiling { copy, read, multiply_add, none };

struct Row {
  std::string lab;
  std::string size;
  std::vector<Input> inputs;
  std::size_t output_bytes = 0;
  /// How far `got` is from `want`, both on the device and of output_bytes: 0 is equal, NaN wrong.
  std::function<double(const void* got, const void* want)> error;
  double largest_error = 0;
  double work = 0;  // bytes that have to be moved, or operations (a multiply-add is two)
  Ceiling ceiling = Ceiling::none;
  std::vector<Contender> contenders;  // the first is the one that the others are compared with
};

/// One for each lab, at namespace scope.
struct Registration {
  Registration(std::string lab, std::function<std::vector<Row>()> rows);
};

struct Lab {
  std::string name;
  std::function<std::vector<Row>()> rows;
};
[[nodiscard]] std::vector<Lab>& registered_labs();

/// @throws std::runtime_error  with `what` and the error's name, unless it is a success
void check(cudaError_t status, const char* what);

// ---- Parts of rows --------------------------------------------------------------------

/// floats between -1 and 1, of which about half are negative
[[nodiscard]] Input uniform_floats(std::size_t count);
/// the same, rounded to f16 and to bf16
[[nodiscard]] Input uniform_halves(std::size_t count);
[[nodiscard]] Input uniform_bfloats(std::size_t count);
/// floats between 0 and 1
[[nodiscard]] Input positive_floats(std::size_t count);
/// 32-bit numbers below `limit`
[[nodiscard]] Input uniform_words(std::size_t count, unsigned limit);
[[nodiscard]] Input uniform_bytes(std::size_t count);
/// these numbers, whatever the seed
[[nodiscard]] Input fixed_ints(std::vector<int> values);
/// the same number everywhere, another one with another seed
[[nodiscard]] Input constant_words(std::size_t count, unsigned limit);
[[nodiscard]] Input constant_bytes(std::size_t count);

/// ||got - want|| / ||want||, Euclidean norms over `count` floats; NaN where there is one.
[[nodiscard]] double relative_error(const void* got, const void* want, std::size_t count);
/// The same over `count` numbers in f16 and in bf16.
[[nodiscard]] double relative_error_of_halves(const void* got, const void* want, std::size_t count);
[[nodiscard]] double relative_error_of_bfloats(const void* got, const void* want,
                                               std::size_t count);
/// How many of the bytes are different.
[[nodiscard]] double different_bytes(const void* got, const void* want, std::size_t bytes);

/// Device memory that a contender keeps. Freed with the last copy of it.
class Scratch {
 public:
  /// At least so many bytes, allocated if there are not as many yet.
  [[nodiscard]] void* get(std::size_t bytes);
  Scratch() = default;
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace against
