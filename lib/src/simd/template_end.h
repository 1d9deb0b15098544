/* The end of a template: undefines what simd/template.h and the including file have defined. */
#undef CN_JOIN
#undef CN_JOINED
#undef CN_JOIN_TWO
#undef CN_JOINED_TWO
#undef V
#undef NAME
#undef ENTRY
#undef VECTOR
#undef LANES
#undef KERNEL
#undef INSIDE
#undef NARROWER
#undef VEC
#undef BITS
