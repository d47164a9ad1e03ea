#pragma once

// The part of the device runtime that a linked program may ask for: the barrier of a grid, which
// NVIDIA's libcudadevrt.a has as calls into the driver.

namespace warpsim::driver {

inline constexpr const char* kGridHandleFunction = "cudaCGGetIntrinsicHandle";
inline constexpr const char* kGridBarrierFunction = "cudaCGSynchronize";

/// Defines both functions. A cooperative launch provides a word that is 0 at first (%envreg1 and
/// %envreg2 are the address before it). Each block takes a number; a round is over when as many
/// blocks have one as the grid has, times the rounds. Without a cooperative launch the handle is 0,
/// and the barrier returns 999 (cudaErrorUnknown).
inline constexpr const char* kGridBarrierPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope) {
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  mov.b32 %r1, %envreg1;
  mov.b32 %r2, %envreg2;
  mov.b64 %rd1, {%r2, %r1};
  ld.param.b32 %r3, [scope];
  setp.eq.u32 %p1, %r3, 1;
  @!%p1 mov.b64 %rd1, 0;
  st.param.b64 [handle], %rd1;
  ret;
}
.visible .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags) {
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<3>;
  ld.param.b64 %rd1, [handle];
  setp.eq.s64 %p1, %rd1, 0;
  @%p1 bra no_grid;
  bar.sync 0;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %tid.z;
  or.b32 %r1, %r1, %r2;
  or.b32 %r1, %r1, %r3;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra complete;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, %nctaid.y;
  mov.u32 %r6, %nctaid.z;
  mul.lo.u32 %r4, %r4, %r5;
  mul.lo.u32 %r4, %r4, %r6;
  cvta.to.global.u64 %rd2, %rd1;
  atom.global.add.release.gpu.u32 %r7, [%rd2+4], 1;
  div.u32 %r8, %r7, %r4;
  mad.lo.u32 %r9, %r8, %r4, %r4;
again:
  ld.acquire.gpu.global.u32 %r10, [%rd2+4];
  sub.s32 %r11, %r10, %r9;
  setp.lt.s32 %p3, %r11, 0;
  @%p3 bra again;
complete:
  bar.sync 0;
  st.param.b32 [error], 0;
  ret;
no_grid:
  st.param.b32 [error], 999;
  ret;
}
)";

}  // namespace warpsim::driver
