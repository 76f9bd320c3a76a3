#include "loudness.h"
#include "find.h"
#include <ebur128.h>
#include <math.h>

#define NAMED(name) ebur128_##name
#define FUNCTIONS(f) f(init) f(destroy) f(add_frames_float) f(loudness_global) f(true_peak)

LIBRARY(entrain_loudness_load)

static void load(void) {
    const wanted functions[] = {FUNCTIONS(WANTED)};
    const char *const names[] = {"libebur128.so.1", NULL};
    find_all(names, functions, sizeof functions / sizeof *functions, problem);
}

static ebur128_state *state(entrain_loudness *meter) { return (ebur128_state *)meter; }

entrain_loudness *entrain_loudness_create(unsigned long rate) {
    return (entrain_loudness *)library.init(2, rate, EBUR128_MODE_I | EBUR128_MODE_TRUE_PEAK);
}

void entrain_loudness_free(entrain_loudness *meter) {
    ebur128_state *held = state(meter);
    library.destroy(&held);
}

void entrain_loudness_add(entrain_loudness *meter, const float *samples, size_t frames) {
    library.add_frames_float(state(meter), samples, frames);
}

double entrain_loudness_integrated(entrain_loudness *meter) {
    double value;
    return library.loudness_global(state(meter), &value) == EBUR128_SUCCESS ? value : NAN;
}

double entrain_loudness_peak(entrain_loudness *meter) {
    double highest = 0, value;
    for (unsigned channel = 0; channel < 2; channel++)
        if (library.true_peak(state(meter), channel, &value) == EBUR128_SUCCESS && value > highest) highest = value;
    return highest;
}
