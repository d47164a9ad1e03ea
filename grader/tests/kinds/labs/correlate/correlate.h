#pragma once

/// result[i][j] = the correlation coefficient of rows i and j: the sum of their products after each
/// row's mean was subtracted and the row divided by its length. `rows` has n rows of m numbers,
/// `result` n rows of n; both are host pointers.
void correlate(const float* rows, float* result, int n, int m);
