#pragma once

/// A recording is scaled to its peak, by two devices: with p the largest |samples[i]|, result[i] is
/// samples[i] / p for i from 0 to n - 1. If all samples are 0, all results are 0.
///
/// `samples` and `result` are HOST pointers to n floats each in pinned memory, aligned to 4 bytes
/// and no more; they do not overlap. No sample is NaN. n is any int from 0 up. There are two
/// devices of one kind, and device 0 is current at the call. When the function returns, all its
/// work is done, all memory, streams and events are freed, and device 0 is current again. Nothing
/// outside `result` may be written. The function may be called several times.
void scale_to_peak(const float* samples, float* result, int n);
