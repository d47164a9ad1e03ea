#include "emulator/libraries/curand/generator.h"

#include <fmt/format.h>

#include <mutex>
#include <set>

#include "emulator/libraries/curand/mrg32k3a.h"
#include "emulator/libraries/curand/mt19937.h"
#include "emulator/libraries/curand/philox.h"
#include "emulator/libraries/curand/sobol.h"
#include "emulator/libraries/curand/xorwow.h"
#include "emulator/libraries/exported.h"
#include "emulator/libraries/version_part.h"

// Generators and their options.

namespace warpsim::curand {
namespace {

using libraries::Caller;

struct Generators {
  std::mutex mutex;
  std::set<const Generator*> live;
};

/// Never destroyed, since static destructors of a program may still call the library.
Generators& generators() {
  static auto& instance = *new Generators;
  return instance;
}

void report(const Caller& caller, const std::string& got, const std::string& want, Status status,
            bool by_emulator) {
  const auto* const runtime = libraries::runtime();
  if (runtime == nullptr) return;
  runtime->refuse(
      caller.name, caller.return_address,
      {.got = got, .want = want, .status = name_of(status), .by_emulator = by_emulator});
}

Status refuse(const Caller& caller, const std::string& got, const std::string& want,
              Status status) {
  report(caller, got, want, status, false);
  return status;
}

/// For a type that NVIDIA's library has and this one lacks: what to use, and why it lacks it.
const char* in_place_of(Type type) {
  switch (type) {
    case Type::mtgp32:
      return "another pseudorandom generator: the parameters of this one come with the toolkit "
             "only";
    case Type::scrambled_sobol32:
    case Type::scrambled_sobol64:
      return "the generator that is not scrambled: the numbers for that come with the toolkit only";
    default:
      return nullptr;
  }
}

Status create_with(const Caller& caller, Generator** generator, Type type, bool on_host) {
  if (generator == nullptr) {
    return refuse(caller, "generator is a null pointer", "its address", Status::not_initialized);
  }
  if (type == Type::pseudo_default) type = Type::xorwow;
  if (type == Type::quasi_default) type = Type::sobol32;
  if (name_of(type) == nullptr) {
    return refuse(caller, fmt::format("rng_type is {}", static_cast<int>(type)),
                  "a CURAND_RNG_ constant of curand.h", Status::type_error);
  }
  if (const char* const wanted = in_place_of(type)) {
    report(caller, fmt::format("rng_type is {}", name_of(type)), wanted, Status::type_error, true);
    return Status::type_error;
  }
  if (libraries::runtime() == nullptr) return Status::initialization_failed;
  auto made = std::make_unique<Generator>();
  made->type = type;
  made->on_host = on_host;
  if (made->is_quasi()) made->ordering = Ordering::quasi_default;
  const std::lock_guard lock(generators().mutex);
  generators().live.insert(made.get());
  *generator = made.release();
  return Status::success;
}

Status create(const Caller& caller, Generator** generator, Type type) {
  return create_with(caller, generator, type, false);
}

Status create_host(const Caller& caller, Generator** generator, Type type) {
  return create_with(caller, generator, type, true);
}

Status destroy(const Caller& caller, Generator* generator) {
  {
    const std::lock_guard lock(generators().mutex);
    if (generators().live.erase(generator) != 0) {
      delete generator;
      return Status::success;
    }
  }
  return refuse_dead(caller, generator);
}

Status set_stream(const Caller& caller, Generator* generator, cudaStream_t stream) {
  if (!is_live(generator)) return refuse_dead(caller, generator);
  generator->stream = stream;
  return Status::success;
}

Status set_seed(const Caller& caller, Generator* generator, unsigned long long seed) {
  if (!is_live(generator)) return refuse_dead(caller, generator);
  if (generator->is_quasi()) {
    return refuse(caller, "the generator is quasirandom", "a pseudorandom generator",
                  Status::type_error);
  }
  generator->seed = seed;
  generator->sequence = nullptr;
  return Status::success;
}

Status set_offset(const Caller& caller, Generator* generator, unsigned long long offset) {
  if (!is_live(generator)) return refuse_dead(caller, generator);
  if (generator->type == Type::mt19937) {
    return refuse(caller, "the generator is an MT19937", "a generator of another type",
                  Status::type_error);
  }
  generator->position = offset;
  generator->sequence = nullptr;
  return Status::success;
}

Status set_ordering(const Caller& caller, Generator* generator, Ordering ordering) {
  if (!is_live(generator)) return refuse_dead(caller, generator);
  const bool is_known = generator->is_quasi()
                            ? ordering == Ordering::quasi_default
                            : (ordering >= Ordering::best && ordering <= Ordering::dynamic &&
                               (ordering != Ordering::seeded || generator->type == Type::xorwow) &&
                               (ordering != Ordering::dynamic ||
                                (generator->type != Type::mt19937 && !generator->on_host)));
  if (!is_known) {
    return refuse(caller, fmt::format("order is {}", static_cast<int>(ordering)),
                  fmt::format("an ordering that {} has", name_of(generator->type)),
                  Status::out_of_range);
  }
  generator->ordering = ordering;
  generator->sequence = nullptr;
  return Status::success;
}

Status set_dimensions(const Caller& caller, Generator* generator, unsigned int dimensions) {
  constexpr unsigned int kMost = 20000;
  if (!is_live(generator)) return refuse_dead(caller, generator);
  if (!generator->is_quasi()) {
    return refuse(caller, "the generator is pseudorandom", "a quasirandom generator",
                  Status::type_error);
  }
  const std::string got = fmt::format("num_dimensions is {}", dimensions);
  if (dimensions == 0 || dimensions > kMost) {
    return refuse(caller, got, fmt::format("1 to {}", kMost), Status::out_of_range);
  }
  if (dimensions > sobol_dimensions()) {
    report(caller, got, fmt::format("at most {}", sobol_dimensions()), Status::out_of_range, true);
    return Status::out_of_range;
  }
  generator->dimensions = dimensions;
  generator->sequence = nullptr;
  return Status::success;
}

/// The state is made here instead of by the next call that generates.
Status generate_seeds(const Caller& caller, Generator* generator) {
  if (!is_live(generator)) return refuse_dead(caller, generator);
  make_sequence(*generator);
  return Status::success;
}

std::unique_ptr<Sequence> sequence_of(const Generator& generator) {
  const std::uint64_t seed = generator.seed;
  const std::uint64_t position = generator.position;
  switch (generator.type) {
    case Type::mrg32k3a:
      return make_mrg32k3a(seed, position, generator.ordering == Ordering::legacy);
    case Type::philox:
      return make_philox(seed, position);
    case Type::mt19937:
      return make_mt19937(seed);
    case Type::sobol32:
      return make_sobol32(generator.dimensions, position);
    case Type::sobol64:
      return make_sobol64(generator.dimensions, position);
    default:
      return make_xorwow(seed, position, generator.ordering == Ordering::seeded);
  }
}

}  // namespace

Status refuse_dead(const Caller& caller, const Generator* generator) {
  return refuse(
      caller,
      generator == nullptr ? "the generator is null" : "the generator is not one that is in use",
      "a generator of curandCreateGenerator, before curandDestroyGenerator",
      Status::not_initialized);
}

bool is_live(const Generator* generator) {
  const std::lock_guard lock(generators().mutex);
  return generators().live.contains(generator);
}

void make_sequence(Generator& generator) {
  if (generator.sequence == nullptr) generator.sequence = sequence_of(generator);
}

const char* name_of(Status status) {
  switch (status) {
    case Status::success:
      return "CURAND_STATUS_SUCCESS";
    case Status::not_initialized:
      return "CURAND_STATUS_NOT_INITIALIZED";
    case Status::type_error:
      return "CURAND_STATUS_TYPE_ERROR";
    case Status::out_of_range:
      return "CURAND_STATUS_OUT_OF_RANGE";
    case Status::length_not_multiple:
      return "CURAND_STATUS_LENGTH_NOT_MULTIPLE";
    case Status::launch_failure:
      return "CURAND_STATUS_LAUNCH_FAILURE";
    case Status::initialization_failed:
      return "CURAND_STATUS_INITIALIZATION_FAILED";
    case Status::internal_error:
      break;
  }
  return "CURAND_STATUS_INTERNAL_ERROR";
}

const char* name_of(Type type) {
  switch (type) {
    case Type::xorwow:
      return "CURAND_RNG_PSEUDO_XORWOW";
    case Type::mrg32k3a:
      return "CURAND_RNG_PSEUDO_MRG32K3A";
    case Type::mtgp32:
      return "CURAND_RNG_PSEUDO_MTGP32";
    case Type::mt19937:
      return "CURAND_RNG_PSEUDO_MT19937";
    case Type::philox:
      return "CURAND_RNG_PSEUDO_PHILOX4_32_10";
    case Type::sobol32:
      return "CURAND_RNG_QUASI_SOBOL32";
    case Type::scrambled_sobol32:
      return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL32";
    case Type::sobol64:
      return "CURAND_RNG_QUASI_SOBOL64";
    case Type::scrambled_sobol64:
      return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL64";
    default:
      return nullptr;
  }
}

}  // namespace warpsim::curand

extern "C" {

warpsim::curand::Status curandGetVersion(int* version) {
  if (version == nullptr) return warpsim::curand::Status::out_of_range;
  *version = warpsim::curand::kVersion;
  return warpsim::curand::Status::success;
}

warpsim::curand::Status curandGetProperty(int part, int* value) {
  return warpsim::libraries::version_part(warpsim::curand::kVersion, 1000, part, value)
             ? warpsim::curand::Status::success
             : warpsim::curand::Status::out_of_range;
}

}  // extern "C"

WARPSIM_EXPORT(curandCreateGenerator, curandCreateGenerator, warpsim::curand::create)
WARPSIM_EXPORT(curandCreateGeneratorHost, curandCreateGeneratorHost, warpsim::curand::create_host)
WARPSIM_EXPORT(curandDestroyGenerator, curandDestroyGenerator, warpsim::curand::destroy)
WARPSIM_EXPORT(curandSetStream, curandSetStream, warpsim::curand::set_stream)
WARPSIM_EXPORT(curandSetPseudoRandomGeneratorSeed, curandSetPseudoRandomGeneratorSeed,
               warpsim::curand::set_seed)
WARPSIM_EXPORT(curandSetGeneratorOffset, curandSetGeneratorOffset, warpsim::curand::set_offset)
WARPSIM_EXPORT(curandSetGeneratorOrdering, curandSetGeneratorOrdering,
               warpsim::curand::set_ordering)
WARPSIM_EXPORT(curandSetQuasiRandomGeneratorDimensions, curandSetQuasiRandomGeneratorDimensions,
               warpsim::curand::set_dimensions)
WARPSIM_EXPORT(curandGenerateSeeds, curandGenerateSeeds, warpsim::curand::generate_seeds)
