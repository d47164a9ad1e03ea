#pragma once

void launch_same_name_second(int* out);  // device_counter of that unit + 2
