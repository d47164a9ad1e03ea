#pragma once

/// hashes[i] = (text[i] + 1) * 0x9e3779b97f4a7c15 modulo 2^64; vowels[i]: whether text[i] is one of
/// "aeiou". All are device pointers to n elements.
void letters(const char* text, unsigned long long* hashes, bool* vowels, int n);
