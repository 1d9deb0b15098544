/*
 * Includes a template (simd/template.h) once for each kind of vector and width of entries that the
 * processor may have. The including file defines
 *    TEMPLATE   the template's name, in quotes
 * which is undefined afterwards. A template for which NARROWER is defined may call its own instance
 * for the next narrower kind, which comes before it.
 */
#include "simd/vec128.h"
#include "simd/vec512.h"

#define VEC v128
#define BITS 16
#include TEMPLATE

#define VEC v128
#define BITS 32
#include TEMPLATE

#if CN_CPU_X86
#  define VEC v256
#  define BITS 16
#  define NARROWER v128
#  include TEMPLATE

#  define VEC v256
#  define BITS 32
#  define NARROWER v128
#  include TEMPLATE

#  define VEC v512
#  define BITS 16
#  define NARROWER v256
#  include TEMPLATE

#  define VEC v512
#  define BITS 32
#  define NARROWER v256
#  include TEMPLATE
#endif

#undef TEMPLATE
