#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

void launch_fill(int blocks, int threads, int* out, int value, cudaStream_t stream = nullptr);
void launch_fill(dim3 grid, dim3 block, size_t shared, int* out);
void launch_bounded(int threads, int* out);  // __launch_bounds__(128)
void launch_static_shared(int threads, size_t dynamic_bytes, int* out);  // 1024 static bytes
void launch_dynamic_shared(int threads, size_t bytes, int* out);
void launch_scale_by_constant(int threads, float* data);
void launch_count();  // ++device_counter
void launch_write_at(int* out, long long index);
void launch_write_misaligned(char* out);
void launch_assert_zero(int value);
void launch_spin(int* flag);  // until *flag != 0
void launch_same_name(int* out);  // device_counter of that unit + 1
void launch_print(int value);

const void* fill_kernel();
const void* bounded_kernel();
const void* static_shared_kernel();
const void* dynamic_shared_kernel();

const void* add_kernel();  // (place, value): *place += value

const void* constant_table_symbol();  // float[16]
const void* device_counter_symbol();  // int, 5 at the start
const void* device_array_symbol();  // float[8]

// In nvcc_kernels.cu.
const void* count_down_kernel();  // (handle, counter): sets the condition to --*counter > 0
const void* set_condition_kernel();  // (handle, value)
void launch_add_to_managed(int value);
int& managed_value_on_host();  // 7 at the start
