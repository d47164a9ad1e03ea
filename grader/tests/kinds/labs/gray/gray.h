#pragma once

/// gray[y][x] = (red + green + blue) / 3, rounded down, of an image with three bytes per pixel.
/// Both are device pointers.
void gray(const unsigned char* image, unsigned char* gray, int height, int width);
