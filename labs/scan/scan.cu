#include "scan.h"
void scan(const float*, float*, int, int) {}
