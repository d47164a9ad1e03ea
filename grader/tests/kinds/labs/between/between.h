#pragma once

/// From `low` to `high`, both included, after `shift` is added to a number.
struct Range {
  float low;
  double high;
  int shift;
};

/// How many of the n numbers `x`, a device pointer, are in the range.
int between_count(const float* x, Range range, int n);

/// marks[i] = whether x[i] is in the range. Device pointers.
void between_mark(const float* x, bool* marks, int n, Range range);
