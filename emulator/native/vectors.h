#pragma once

#include <asmjit/x86.h>

#include <cstdint>

namespace warpsim::native {

using Vec = asmjit::x86::Vec;
namespace op = asmjit::x86::Inst;  // numbers of instructions

/// The host's vectors, of 64 bytes with AVX-512 or of 32 bytes with AVX2: what both have under
/// different names.
class Vectors {
 public:
  /// @param bytes  64 or 32
  Vectors(asmjit::x86::Assembler& out, std::int32_t bytes) : out_(out), wide_(bytes == 64) {}

  [[nodiscard]] bool wide() const { return wide_; }
  [[nodiscard]] std::int32_t bytes() const { return wide_ ? 64 : 32; }
  /// Vectors for the 32 lanes of a register with elements of these bytes.
  [[nodiscard]] std::int32_t blocks(std::int32_t element) const { return 32 * element / bytes(); }
  /// Registers that may hold blocks. With AVX2 there is one more, spare().
  [[nodiscard]] std::uint32_t registers() const { return wide_ ? 32 : 15; }
  [[nodiscard]] Vec reg(std::uint32_t id) const {
    return wide_ ? Vec(asmjit::x86::Zmm(id)) : Vec(asmjit::x86::Ymm(id));
  }
  /// The half of a vector that has the same lanes as a vector of elements twice as wide.
  [[nodiscard]] Vec half(const Vec& v) const { return wide_ ? Vec(v.ymm()) : Vec(v.xmm()); }
  /// With AVX2, a register that nothing is kept in.
  [[nodiscard]] Vec spare() const { return reg(15); }

  void emit(asmjit::InstId id, const Vec& d, const asmjit::Operand& a) { out_.emit(id, d, a); }
  void emit(asmjit::InstId id, const Vec& d, const Vec& a, const asmjit::Operand& b) {
    out_.emit(id, d, a, b);
  }

  void move(const Vec& d, const asmjit::Operand& aligned) {
    emit(wide_ ? op::kIdVmovdqa32 : op::kIdVmovdqa, d, aligned);
  }
  void keep(const asmjit::x86::Mem& aligned, const Vec& value) {
    out_.emit(wide_ ? op::kIdVmovdqa32 : op::kIdVmovdqa, aligned, value);
  }
  void load(const Vec& d, const asmjit::x86::Mem& from) {
    emit(wide_ ? op::kIdVmovdqu32 : op::kIdVmovdqu, d, from);
  }
  void store(const asmjit::x86::Mem& to, const Vec& value) {
    out_.emit(wide_ ? op::kIdVmovdqu32 : op::kIdVmovdqu, to, value);
  }
  [[nodiscard]] asmjit::InstId and_id() const { return wide_ ? op::kIdVpandq : op::kIdVpand; }
  [[nodiscard]] asmjit::InstId or_id() const { return wide_ ? op::kIdVporq : op::kIdVpor; }
  [[nodiscard]] asmjit::InstId xor_id() const { return wide_ ? op::kIdVpxorq : op::kIdVpxor; }
  void bit_and(const Vec& d, const Vec& a, const asmjit::Operand& b) { emit(and_id(), d, a, b); }
  void bit_or(const Vec& d, const Vec& a, const asmjit::Operand& b) { emit(or_id(), d, a, b); }
  void bit_xor(const Vec& d, const Vec& a, const asmjit::Operand& b) { emit(xor_id(), d, a, b); }
  /// Bits that are all set. With AVX2 only.
  void set(const Vec& d) { emit(op::kIdVpcmpeqd, d, d, d); }
  void broadcast32(const Vec& d, const asmjit::x86::Gp& value) {
    if (wide_) return emit(op::kIdVpbroadcastd, d, value.r32());
    out_.vmovd(d.xmm(), value.r32());
    emit(op::kIdVpbroadcastd, d, d.xmm());
  }
  void broadcast64(const Vec& d, const asmjit::x86::Gp& value) {
    if (wide_) return emit(op::kIdVpbroadcastq, d, value.r64());
    out_.vmovq(d.xmm(), value.r64());
    emit(op::kIdVpbroadcastq, d, d.xmm());
  }
  /// Values that are not numbers become the canonical one.
  void make_canonical(const Vec& value, const asmjit::Label& canonical) {
    constexpr std::uint32_t kUnordered = 3;
    if (wide_) {
      out_.emit(op::kIdVcmpps, asmjit::x86::k1, value, value, kUnordered);
      out_.k(asmjit::x86::k1).emit(op::kIdVmovdqa32, value, asmjit::x86::ptr(canonical));
      return;
    }
    out_.emit(op::kIdVcmpps, spare(), value, value, kUnordered);
    out_.emit(op::kIdVblendvps, value, value, asmjit::x86::ptr(canonical), spare());
  }

 private:
  asmjit::x86::Assembler& out_;
  bool wide_;
};

}  // namespace warpsim::native
