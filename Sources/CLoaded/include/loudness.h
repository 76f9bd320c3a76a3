// libebur128: loudness and true peak by EBU R 128.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Loads the library, once.
///
/// @return `NULL` where it is here; otherwise what the loader says, which stays valid.
const char *entrain_loudness_load(void);

/// Measurements of interleaved stereo so far.
typedef struct entrain_loudness entrain_loudness;
/// @return `NULL` where there is no memory, or no such rate.
entrain_loudness *entrain_loudness_create(unsigned long rate);
void entrain_loudness_free(entrain_loudness *meter);
void entrain_loudness_add(entrain_loudness *meter, const float *samples, size_t frames);
/// Integrated loudness, LUFS; not finite if there was only silence.
double entrain_loudness_integrated(entrain_loudness *meter);
/// The true peak, 1 at full scale.
double entrain_loudness_peak(entrain_loudness *meter);
