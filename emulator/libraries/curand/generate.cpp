#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "emulator/libraries/curand/generator.h"
#include "emulator/libraries/exported.h"

// The calls that generate: each is checked, and runs in the generator's stream.

namespace warpsim::curand {
namespace {

using libraries::Caller;
using Arguments = cudart::LibraryCall::Arguments;

/// One call: its arguments are refused, or it runs.
class Call {
 public:
  Call(const Caller& caller, Generator* generator)
      : caller_(caller), generator_(generator), runtime_(libraries::runtime()) {
    if (runtime_ == nullptr) {
      status_ = Status::initialization_failed;
    } else if (!is_live(generator)) {
      status_ = refuse_dead(caller, generator);
    }
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// @param bits  of the integers that the function makes
  Call& width(int bits) {
    if (status_ == Status::success && generator_->has_64_bits() != (bits == 64)) {
      refuse(fmt::format("the generator is a {}", name_of(generator_->type)),
             fmt::format("a generator of {}-bit numbers", bits), Status::type_error);
    }
    return *this;
  }
  /// Results come in pairs of two, or one for each dimension.
  Call& length(std::size_t count, bool in_pairs) {
    if (status_ != Status::success) return *this;
    const bool pairs = in_pairs && generator_->pairs_normals();
    const std::size_t unit = pairs ? 2 : generator_->dimensions;
    if (count % unit != 0) {
      refuse(fmt::format("the number of results is {}", count),
             pairs ? "an even number: normal numbers are made in pairs"
                   : fmt::format("a multiple of {}, the number of dimensions", unit),
             Status::length_not_multiple);
    }
    return *this;
  }

  /// @param fill  makes the results from the sequence
  template <class T, class Fill>
  Status submit(T* to, std::size_t count, bool in_pairs, Fill fill) {
    if (status_ != Status::success || count == 0) return status_;
    make_sequence(*generator_);
    const std::shared_ptr<Sequence> sequence = generator_->sequence;
    generator_->position += advance(count, in_pairs);
    if (generator_->on_host) {
      fill(*sequence, std::span<T>(to, count));
      return Status::success;
    }
    cudart::LibraryArgument argument;
    argument.name = "outputPtr";
    argument.shape = fmt::format("{} number{}", count, count == 1 ? "" : "s");
    argument.side.address = reinterpret_cast<std::uint64_t>(to);
    argument.box = {.width = count * sizeof(T)};
    argument.alignment = sizeof(T);
    argument.written = true;
    cudart::LibraryCall call;
    call.name = caller_.name;
    call.return_address = caller_.return_address;
    call.stream = generator_->stream;
    call.arguments = [argument](const Arguments&) { return Arguments{argument}; };
    call.run = [sequence, count, fill](const Arguments&, const Arguments& arguments) {
      fill(*sequence, std::span<T>(arguments[0].as<T>(), count));
    };
    const cudaError_t error = runtime_->run(std::move(call));
    return error == cudaSuccess ? Status::success : Status::launch_failure;
  }

 private:
  void refuse(const std::string& got, const std::string& want, Status status) {
    status_ = status;
    runtime_->refuse(caller_.name, caller_.return_address,
                     {.got = got, .want = want, .status = name_of(status)});
  }
  /// By how much the position moves.
  [[nodiscard]] std::uint64_t advance(std::size_t count, bool in_pairs) const {
    if (generator_->is_quasi()) return count / generator_->dimensions;
    return in_pairs && generator_->pairs_normals() ? count / 2 : count;
  }

  const Caller caller_;
  Generator* const generator_;
  const cudart::LibraryEntryPoints* const runtime_;
  Status status_ = Status::success;
};

Status generate(const Caller& caller, Generator* generator, unsigned int* to, std::size_t count) {
  return Call(caller, generator)
      .width(32)
      .length(count, false)
      .submit(to, count, false,
              [](Sequence& from, std::span<unsigned int> numbers) { from.bits(numbers); });
}

Status generate_64(const Caller& caller, Generator* generator, unsigned long long* to,
                   std::size_t count) {
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  return Call(caller, generator)
      .width(64)
      .length(count, false)
      .submit(reinterpret_cast<std::uint64_t*>(to), count, false,
              [](Sequence& from, std::span<std::uint64_t> numbers) { from.bits(numbers); });
}

template <class T>
Status uniform(const Caller& caller, Generator* generator, T* to, std::size_t count) {
  return Call(caller, generator)
      .length(count, false)
      .submit(to, count, false,
              [](Sequence& from, std::span<T> numbers) { from.uniform(numbers); });
}

template <class T>
Status normal(const Caller& caller, Generator* generator, T* to, std::size_t count, T mean,
              T deviation) {
  return Call(caller, generator)
      .length(count, true)
      .submit(to, count, true, [=](Sequence& from, std::span<T> numbers) {
        from.normal(numbers);
        for (T& number : numbers) number = std::fma(number, deviation, mean);
      });
}

template <class T>
Status log_normal(const Caller& caller, Generator* generator, T* to, std::size_t count, T mean,
                  T deviation) {
  return Call(caller, generator)
      .length(count, true)
      .submit(to, count, true, [=](Sequence& from, std::span<T> numbers) {
        from.normal(numbers);
        for (T& number : numbers) {
          const double power = std::exp(static_cast<double>(std::fma(number, deviation, mean)));
          number = static_cast<T>(power);
        }
      });
}

}  // namespace
}  // namespace warpsim::curand

WARPSIM_EXPORT(curandGenerate, curandGenerate, warpsim::curand::generate)
WARPSIM_EXPORT(curandGenerateLongLong, curandGenerateLongLong, warpsim::curand::generate_64)
WARPSIM_EXPORT(curandGenerateUniform, curandGenerateUniform, warpsim::curand::uniform<float>)
WARPSIM_EXPORT(curandGenerateUniformDouble, curandGenerateUniformDouble,
               warpsim::curand::uniform<double>)
WARPSIM_EXPORT(curandGenerateNormal, curandGenerateNormal, warpsim::curand::normal<float>)
WARPSIM_EXPORT(curandGenerateNormalDouble, curandGenerateNormalDouble,
               warpsim::curand::normal<double>)
WARPSIM_EXPORT(curandGenerateLogNormal, curandGenerateLogNormal, warpsim::curand::log_normal<float>)
WARPSIM_EXPORT(curandGenerateLogNormalDouble, curandGenerateLogNormalDouble,
               warpsim::curand::log_normal<double>)
