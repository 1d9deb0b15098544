#include "codec/tight.h"

#if CN_CPU_X86

#  include <string.h>

#  include "codec/step_costs.h"
#  include "simd/vec512.h"

#  define VEC v256
#  define BITS 16
#  include "codec/tight_kernel.h"

#  define VEC v256
#  define BITS 32
#  include "codec/tight_kernel.h"

#  define VEC v512
#  define BITS 16
#  include "codec/tight_kernel.h"

#  define VEC v512
#  define BITS 32
#  include "codec/tight_kernel.h"

cn_tight_function *const cn_tight_avx2[2][2] = {{find_v256_16, find_v256_32},
                                                {find_uneven_v256_16, find_uneven_v256_32}};
cn_tight_function *const cn_tight_avx512[2][2] = {{find_v512_16, find_v512_32},
                                                  {find_uneven_v512_16, find_uneven_v512_32}};

#else
typedef int codec_tight_is_portable_here;
#endif
