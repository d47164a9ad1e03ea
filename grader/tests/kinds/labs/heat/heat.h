#pragma once

/// Called in this order, `heat_step` as often as there are steps. `start` is in pinned and `rise`
/// in mapped host memory, `state` in device and `result` in managed memory.
///
/// state[i] = start[i]
void heat_begin(const float* start, float* state, int n);
/// state[i] += rise[i]
void heat_step(float* state, const float* rise, int n);
/// result[i] = 2 state[i]
void heat_end(float* state, float* result, int n);
