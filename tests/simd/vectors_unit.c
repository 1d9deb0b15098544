#include "simd/vec128.h"

#include "support/check.h"
#include "support/random_maps.h"

enum { ROUNDS = 2000 };

/* Mostly a number at an end of the range, or where its sign would change. */
static uint32_t any_number(dice *luck, unsigned bits)
{
    const uint32_t all = bits == 16 ? UINT16_MAX : UINT32_MAX, middle = all / 2 + 1;
    const uint32_t near = dice_below(luck, 3);
    switch (dice_below(luck, 4)) {
    case 0: return near;
    case 1: return all - near;
    case 2: return middle + near - 1;
    default: return dice_below(luck, UINT32_MAX) & all;
    }
}

#define VEC v128
#define BITS 16
#define HAS_ALL 1
#include "simd/vector_checks.h"

#define VEC v128
#define BITS 32
#define HAS_ALL 1
#include "simd/vector_checks.h"

#if CN_HAS_VECTORS

#  define VEC v128
#  define BITS 16
#  include "simd/moves_checks.h"

#  define VEC v128
#  define BITS 32
#  include "simd/moves_checks.h"

#endif

#if CN_CPU_X86

#  include "simd/vec512.h"

#  define VEC x128
#  define BITS 16
#  define HAS_ALL 0
#  include "simd/vector_checks.h"

#  define VEC x128
#  define BITS 32
#  define HAS_ALL 0
#  include "simd/vector_checks.h"

#  define VEC v256
#  define BITS 16
#  define HAS_ALL 1
#  include "simd/vector_checks.h"

#  define VEC v256
#  define BITS 16
#  include "simd/moves_checks.h"

#  define VEC v256
#  define BITS 32
#  define HAS_ALL 1
#  include "simd/vector_checks.h"

#  define VEC v256
#  define BITS 32
#  include "simd/moves_checks.h"

#  define VEC v512
#  define BITS 16
#  define HAS_ALL 1
#  include "simd/vector_checks.h"

#  define VEC v512
#  define BITS 16
#  include "simd/moves_checks.h"

#  define VEC v512
#  define BITS 32
#  define HAS_ALL 1
#  include "simd/vector_checks.h"

#  define VEC v512
#  define BITS 32
#  include "simd/moves_checks.h"

#endif

static void vectors_of_128_bits_do_what_loops_do(void **state)
{
    (void)state;
    dice luck = {1};
    check_all_v128_16(&luck);
    check_all_v128_32(&luck);
#if CN_HAS_VECTORS
    check_moves_v128_16(&luck);
    check_moves_v128_32(&luck);
#endif
}

#if CN_CPU_X86

static void vectors_of_avx2_do_what_loops_do(void **state)
{
    (void)state;
    if (cn_cpu_level() < CN_CPU_AVX2)
        skip();
    dice luck = {1};
    check_all_x128_16(&luck);
    check_all_x128_32(&luck);
    check_all_v256_16(&luck);
    check_moves_v256_16(&luck);
    check_all_v256_32(&luck);
    check_moves_v256_32(&luck);
}

static void vectors_of_avx512_do_what_loops_do(void **state)
{
    (void)state;
    if (cn_cpu_level() < CN_CPU_AVX512)
        skip();
    dice luck = {1};
    check_all_v512_16(&luck);
    check_moves_v512_16(&luck);
    check_all_v512_32(&luck);
    check_moves_v512_32(&luck);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_128_bits_do_what_loops_do),
#if CN_CPU_X86
        cmocka_unit_test(vectors_of_avx2_do_what_loops_do),
        cmocka_unit_test(vectors_of_avx512_do_what_loops_do),
#endif
    };
    return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
