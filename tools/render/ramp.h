/* From numbers to colours, and to marks on a scale. */
#ifndef RENDER_RAMP_H
#define RENDER_RAMP_H

#include "render/image.h"

/* 0 <= part <= 1. `bands` from dark blue over green to yellow; `heat` from paper to dark red. */
colour ramp_bands(double part);
colour ramp_heat(double part);

/* 1, 2 or 5 times a power of ten: a step that goes into `span` about `count` times. */
double ramp_step(double span, double count);

#endif
