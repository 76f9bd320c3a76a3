// SoundTouch: a sound's tempo without its pitch.
#pragma once
#include <stddef.h>

/// Loads the library, once.
///
/// @return `NULL` where it is here; otherwise what the loader says, which stays valid.
const char *entrain_stretch_load(void);

/// Stretches interleaved stereo, sequence by sequence.
typedef struct entrain_stretch entrain_stretch;
/// @return `NULL` where there is no memory.
entrain_stretch *entrain_stretch_create(unsigned rate);
void entrain_stretch_free(entrain_stretch *stretch);
/// How many frames every sequence gives but the first.
int entrain_stretch_sequence(entrain_stretch *stretch);
/// How far the input moves on in the next sequence, for each frame that it gives.
void entrain_stretch_set(entrain_stretch *stretch, float tempo);
/// Adds frames.
///
/// @return how many are ready.
unsigned entrain_stretch_put(entrain_stretch *stretch, const float *samples, unsigned frames);
/// @return how many frames were taken.
unsigned entrain_stretch_take(entrain_stretch *stretch, float *samples, unsigned frames);
