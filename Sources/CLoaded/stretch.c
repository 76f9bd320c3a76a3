#include "stretch.h"
#include "find.h"
#include <SoundTouchDLL.h>

#define NAMED(name) soundtouch_##name
#define FUNCTIONS(f) \
    f(createInstance) f(destroyInstance) f(setChannels) f(setSampleRate) f(setSetting) f(getSetting) f(setTempo) \
        f(putSamples) f(receiveSamples) f(numSamples)

LIBRARY(entrain_stretch_load)

static void load(void) {
    const wanted functions[] = {FUNCTIONS(WANTED)};
    const char *const names[] = {"libSoundTouchDll.so.1", NULL};
    find_all(names, functions, sizeof functions / sizeof *functions, problem);
}

// The library's numbers of its settings.
enum {
    ANTIALIAS = 0, // only for a change of pitch; it would add a delay
    QUICKSEEK = 2,
    SEQUENCE_MS = 3,
    SEEKWINDOW_MS = 4,
    OVERLAP_MS = 5,
    OUTPUT_SEQUENCE = 7,
};

entrain_stretch *entrain_stretch_create(unsigned rate) {
    HANDLE handle = library.createInstance();
    if (!handle) return NULL;
    library.setChannels(handle, 2);
    library.setSampleRate(handle, rate);
    library.setSetting(handle, ANTIALIAS, 0);
    library.setSetting(handle, QUICKSEEK, 0);
    // The library's own choice near the clip's tempo. Without these it would change the length of a sequence with
    // the tempo, and sequences would not lie where the course of the tempo expects them.
    library.setSetting(handle, SEQUENCE_MS, 70);
    library.setSetting(handle, SEEKWINDOW_MS, 18);
    library.setSetting(handle, OVERLAP_MS, 8);
    return (entrain_stretch *)handle;
}

void entrain_stretch_free(entrain_stretch *stretch) { library.destroyInstance(stretch); }

int entrain_stretch_sequence(entrain_stretch *stretch) { return library.getSetting(stretch, OUTPUT_SEQUENCE); }

void entrain_stretch_set(entrain_stretch *stretch, float tempo) { library.setTempo(stretch, tempo); }

unsigned entrain_stretch_put(entrain_stretch *stretch, const float *samples, unsigned frames) {
    library.putSamples(stretch, samples, frames);
    return library.numSamples(stretch);
}

unsigned entrain_stretch_take(entrain_stretch *stretch, float *samples, unsigned frames) {
    return library.receiveSamples(stretch, samples, frames);
}
