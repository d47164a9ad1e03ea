// x
#include "b.h" /* y
 */
#  include <c>
const char* s = "\"#include"; auto r = R"x(#include "d")x";
#include MACRO\

