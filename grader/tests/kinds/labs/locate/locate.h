#pragma once

/// where[i] = how many of the `count` ascending `numbers` are below asked[i]. Device pointers.
void locate(const int* numbers, const int* asked, int* where, int count, int questions);
