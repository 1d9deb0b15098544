#include "render/ramp.h"

#include <math.h>

static colour between(const uint32_t *stops, int last, double part)
{
    double place = (part < 0 ? 0 : part > 1 ? 1 : part) * last;
    int stop = (int)place < last ? (int)place : last - 1;
    return colour_mix(COLOUR(stops[stop]), COLOUR(stops[stop + 1]), place - stop);
}

colour ramp_bands(double part)
{
    static const uint32_t stops[] = {0x25245c, 0x2f5597, 0x2a8a93, 0x5cb574, 0xb5d45a, 0xfbe983};
    return between(stops, 5, part);
}

colour ramp_heat(double part)
{
    static const uint32_t stops[] = {0xf6f3ec, 0xfbdfa6, 0xf6b15c, 0xe4743c, 0xb8362f, 0x6d1230};
    return between(stops, 5, part);
}

double ramp_step(double span, double count)
{
    if (!(span > 0))
        return 1;
    double rough = span / count;
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
