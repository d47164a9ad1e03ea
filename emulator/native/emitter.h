#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <vector>

#include "emulator/native/blocks.h"
#include "emulator/native/live_values.h"
#include "emulator/native/trace.h"

namespace warpsim::native {

/// Emits the code of a trace, for processors with AVX-512 or AVX2.
class Emitter {
 public:
  Emitter(asmjit::CodeHolder& code, Trace& trace, const LiveValues& live);
  /// Emits all of it.
  /// @returns false when the assembler refused something
  [[nodiscard]] bool run();

 private:
  using Gp = asmjit::x86::Gp;
  using Id = asmjit::InstId;

  /// A jump out of the code in front of an instruction, or behind one whose handler did more than
  /// to go on.
  struct Exit {
    asmjit::Label label;
    std::uint32_t number = 0;  // its count in the state
    const Inst* to = nullptr;  // null: what the handler returned
    bool is_branch = false;  // `to` is one that is taken: the accesses were as in the trace
    std::vector<Blocks::Dirty> dirty;
    /// Loads of this series that have happened and that have not been told.
    std::uint32_t series = 0, untold = 0;
  };

  void begin();
  void end();
  void leave();
  /// Goes on with an instruction as the loop that runs the warp would.
  void go_on(const Inst* next);
  void emit_exit(const Exit& exit);
  void call(const Step& step);
  /// Leaves the trace in front of a branch that lanes take.
  void branch(const Step& step);
  /// The number of accesses since the last one that was told.
  [[nodiscard]] std::uint32_t untold() const { return tells_ ? accesses_ - told_ : 0; }
  /// Tells observers and the cache model of the first `count` loads of a series. Registers of the
  /// host other than those in place:: are lost.
  void tell(std::uint32_t series, std::uint32_t count);
  /// The accesses since the last one are a series, whose end this is.
  void end_series();
  /// Tells of these, and of a store that is next.
  void tell_store(const Step& step, std::uint32_t store);
  /// Forgets what is in registers and nothing reads from the instruction `next` on.
  void drop_dead(const Inst& next);
  /// A call is next: what is kept in registers, and read from `next` on, goes to memory.
  void leave_registers(const Inst& next);
  /// @returns false when the form has no emitter after all
  [[nodiscard]] bool compute(const Step& step);
  [[nodiscard]] Exit& add_exit(std::uint32_t place, const Inst* to);

  // -- registers (emit_compute.cpp) --
  void unary(const Step& step);
  void binary(const Inst& in, Id id, std::int32_t element);
  void float_binary(const Inst& in, Id id);
  void multiply_add(const Step& step);
  void fused_multiply_add(const Inst& in);
  void wide(const Step& step);
  void shift(const Step& step);
  void select(const Step& step);
  void compare(const Step& step);
  void convert(const Step& step);
  void add_constant(const Inst& in);
  void lookup(const Inst& in);
  /// With AVX2: a function of two operands.
  /// @param table  bit 2 * b + c is its value for these bits of the operands
  void lookup_pair(const Vec& d, const Vec& b, const Vec& c, std::uint32_t table);
  void predicate(const Step& step);
  /// Lanes of the 32-bit register extended to 64 bits: those of the `part`th block with such lanes.
  [[nodiscard]] Vec extended(std::int32_t slot, int part, bool is_signed);
  void extend(const Vec& d, std::int32_t slot, int part, bool is_signed);
  /// The bits of a predicate for a block, as elements that are all ones or zero. With AVX2 only.
  void spread_predicate(const Vec& d, std::int32_t slot, int block, std::int32_t element);
  void load_predicate(const asmjit::x86::KReg& k, std::int32_t slot, int block, bool is_long);
  void compare_to_masks(const Step& step);
  void compare_by_signs(const Step& step);

  // -- memory (emit_memory.cpp) --
  void access(const Step& step);
  void guard(const TraceAccess& access, const TraceGroup& group);
  struct ShapeRegisters {
    Vec addresses[8];
    Vec start, off, distance;
    bool are_kept = true;  // else the first of `addresses` is for all of them
  };
  /// @param keeps  whether the addresses stay in registers for what follows
  [[nodiscard]] ShapeRegisters shape_registers(const TraceGroup& group, bool keeps);
  void guard_shape(const TraceGroup& group, Gp first, const ShapeRegisters& registers,
                   const asmjit::Label& exit);
  void count(const TraceAccess& access, const TraceGroup& group, const Inst& in);
  void load(const Step& step, const TraceGroup& group);
  void load_bytes(const Inst& in, const TraceGroup& group);
  /// Loads a byte for each lane of a block, where four lanes are in 16 bytes.
  void pick_bytes(const Vec& d, Gp from, std::int32_t offset, const std::uint32_t* relative);
  /// The same where they are anywhere.
  void gather_bytes(const Vec& d, Gp from, std::int32_t offset, const std::uint32_t* relative);
  struct GatherRegisters {
    Vec index, all;  // `all` with AVX2 only
  };
  /// Loads elements that lie anywhere. @param places  offsets of the block's lanes
  void gather(const Vec& d, Gp from, std::int32_t offset, const std::uint32_t* places,
              std::uint32_t bytes, const GatherRegisters& registers);
  /// Some of the block's shared memory may be uninitialized.
  [[nodiscard]] bool has_shadow(const TraceGroup& group) const;
  void store(const Step& step, const TraceGroup& group);
  /// From a block of each element to the same bytes in the order of memory, lane by lane.
  void interleave(std::uint32_t element, Vec* values);
  void interleave_four(Vec* values);  // of four bytes
  /// Leaves the trace where a load from shared memory has a byte that is not initialized.
  void check_initialized(const TraceAccess& access, const TraceGroup& group);
  void mark(const Inst& in, const TraceGroup& group, std::uint32_t lanes);
  /// The register with the address of the first lane's place, without an offset.
  [[nodiscard]] Gp host(const TraceGroup& group);
  /// A register for it.
  [[nodiscard]] Gp new_host(const TraceGroup& group);

  [[nodiscard]] asmjit::x86::Mem word(std::size_t index) const {
    return asmjit::x86::qword_ptr(place::kState, static_cast<std::int32_t>(8 * index));
  }
  /// A vector after the code.
  asmjit::x86::Mem constant(const void* bytes);

  /// Notes that the assembler refused an instruction.
  struct Refused final : asmjit::ErrorHandler {
    explicit Refused(asmjit::CodeHolder& code) { code.setErrorHandler(this); }
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
    bool any = false;
  };
  Refused refused_;
  asmjit::x86::Assembler out_;
  Vectors vectors_;
  Trace& trace_;
  const LiveValues& live_;
  asmjit::Label canonical_nan_;
  Blocks blocks_;
  std::vector<Exit> exits_;
  struct Constant {
    asmjit::Label label;
    std::uint8_t bytes[64];
  };
  std::vector<Constant> constants_;
  std::vector<bool> guarded_;  // groups
  bool tells_;  // observers or the cache model want to know of loads
  std::uint32_t accesses_ = 0;  // that have been emitted
  std::uint32_t told_ = 0;  // of these
  static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};
  std::uint32_t host_of_[6] = {kNoGroup, kNoGroup, kNoGroup, kNoGroup, kNoGroup, kNoGroup};
  std::uint32_t next_host_ = 0;
};

/// Whether the emitter has something for a form of an instruction, accesses apart.
/// @param vector_bytes  as in Trace
[[nodiscard]] bool can_compute(const Inst& in, const NativeForm& form, std::int32_t vector_bytes);

}  // namespace warpsim::native
