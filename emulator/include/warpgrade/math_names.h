// No include guard: an X macro. The mathematical functions that the emulator evaluates
// (../../machine/math_builtins.cpp) under the names of CUDA's device library, __nv_<name> for
// double and __nv_<name>f for float. The headers declare them from this list and the emulator
// defines them from it.
//
// Then the maximum errors of float and double: how far a result may be from the correctly rounded
// one, in units in the last place (CUDA C++ Programming Guide, "Mathematical Functions", "Standard
// Functions"; powi, which is not in its table, as pow). Bessel functions beyond 8 are bounded there
// by an absolute error, see ../../machine/math_builtins_test.cpp.
//
// WARPGRADE_MATH_1(name, float_ulps, double_ulps)  one argument    _2  two    _3, _4  more
// WARPGRADE_MATH_STD_1, _2: the same, for functions that <cmath> has, too
// WARPGRADE_MATH_INT  result int of a floating-point argument
// WARPGRADE_MATH_OF_INT  a floating-point and an int argument
// WARPGRADE_MATH_INT_OF  an int and a floating-point argument

WARPGRADE_MATH_STD_1(acos, 2, 2)
WARPGRADE_MATH_STD_1(acosh, 4, 3)
WARPGRADE_MATH_STD_1(asin, 2, 2)
WARPGRADE_MATH_STD_1(asinh, 3, 3)
WARPGRADE_MATH_STD_1(atan, 2, 2)
WARPGRADE_MATH_STD_1(atanh, 3, 2)
WARPGRADE_MATH_STD_1(cbrt, 1, 1)
WARPGRADE_MATH_STD_1(cos, 2, 2)
WARPGRADE_MATH_STD_1(cosh, 2, 1)
WARPGRADE_MATH_STD_1(erf, 2, 2)
WARPGRADE_MATH_STD_1(erfc, 4, 5)
WARPGRADE_MATH_STD_1(exp, 2, 1)
WARPGRADE_MATH_STD_1(exp2, 2, 1)
WARPGRADE_MATH_STD_1(expm1, 1, 1)
WARPGRADE_MATH_STD_1(lgamma, 6, 4)
WARPGRADE_MATH_STD_1(log, 1, 1)
WARPGRADE_MATH_STD_1(log10, 2, 1)
WARPGRADE_MATH_STD_1(log1p, 1, 1)
WARPGRADE_MATH_STD_1(log2, 1, 1)
WARPGRADE_MATH_STD_1(logb, 0, 0)
WARPGRADE_MATH_STD_1(sin, 2, 2)
WARPGRADE_MATH_STD_1(sinh, 3, 2)
WARPGRADE_MATH_STD_1(tan, 4, 2)
WARPGRADE_MATH_STD_1(tanh, 2, 1)
WARPGRADE_MATH_STD_1(tgamma, 5, 10)
WARPGRADE_MATH_STD_2(atan2, 3, 2)
WARPGRADE_MATH_STD_2(fmod, 0, 0)
WARPGRADE_MATH_STD_2(hypot, 3, 2)
WARPGRADE_MATH_STD_2(nextafter, 0, 0)
WARPGRADE_MATH_STD_2(pow, 4, 2)
WARPGRADE_MATH_STD_2(remainder, 0, 0)
WARPGRADE_MATH_1(cospi, 1, 2)
WARPGRADE_MATH_1(erfcinv, 4, 6)
WARPGRADE_MATH_1(erfcx, 4, 4)
WARPGRADE_MATH_1(erfinv, 2, 5)
WARPGRADE_MATH_1(exp10, 2, 1)
WARPGRADE_MATH_1(j0, 9, 7)
WARPGRADE_MATH_1(j1, 9, 7)
WARPGRADE_MATH_1(normcdf, 5, 5)
WARPGRADE_MATH_1(normcdfinv, 5, 8)
WARPGRADE_MATH_1(rcbrt, 1, 1)
WARPGRADE_MATH_1(sinpi, 1, 2)
WARPGRADE_MATH_1(y0, 9, 7)
WARPGRADE_MATH_1(y1, 9, 7)
WARPGRADE_MATH_2(rhypot, 2, 1)
WARPGRADE_MATH_3(norm3d, 3, 2)
WARPGRADE_MATH_3(rnorm3d, 2, 1)
WARPGRADE_MATH_4(norm4d, 3, 2)
WARPGRADE_MATH_4(rnorm4d, 2, 1)
WARPGRADE_MATH_INT(ilogb, 0, 0)
WARPGRADE_MATH_OF_INT(ldexp, 0, 0)
WARPGRADE_MATH_OF_INT(powi, 4, 2)
WARPGRADE_MATH_INT_OF(jn, 9, 7)
WARPGRADE_MATH_INT_OF(yn, 9, 7)
