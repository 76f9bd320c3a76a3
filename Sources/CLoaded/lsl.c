#include "lsl.h"
#include "find.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of liblsl's interface, which keeps these names and numbers: lsl/common.h, lsl/streaminfo.h, lsl/inlet.h,
// lsl/outlet.h, lsl/xml.h.
enum { format_float = 1, format_text = 3, lost = -2, most = 64 };

static struct {
    int32_t (*version)(void);
    double (*clock)(void);
    void (*configure)(const char *);
    void *(*create_info)(const char *, const char *, int32_t, double, int, const char *);
    void (*destroy_info)(void *);
    const char *(*name)(void *);
    const char *(*source)(void *);
    void *(*description)(void *);
    void *(*append_child)(void *, const char *);
    void *(*append_value)(void *, const char *, const char *);
    void *(*create_outlet)(void *, int32_t, int32_t);
    void (*destroy_outlet)(void *);
    int32_t (*push_numbers)(void *, const float *, double, int32_t);
    int32_t (*push_texts)(void *, const char **, double, int32_t);
    int32_t (*resolve)(void **, uint32_t, const char *, const char *, int32_t, double);
    void *(*create_inlet)(void *, int32_t, int32_t, int32_t);
    void (*open_stream)(void *, double, int32_t *);
    double (*pull)(void *, float *, int32_t, double, int32_t *);
    double (*correction)(void *, double, int32_t *);
    void (*destroy_inlet)(void *);
} lsl;

static char problem[256];

static void load(void) {
    const wanted functions[] = {
        {"lsl_library_version", &lsl.version}, {"lsl_local_clock", &lsl.clock},
        {"lsl_create_streaminfo", &lsl.create_info}, {"lsl_destroy_streaminfo", &lsl.destroy_info},
        {"lsl_get_name", &lsl.name}, {"lsl_get_source_id", &lsl.source}, {"lsl_get_desc", &lsl.description},
        {"lsl_append_child", &lsl.append_child}, {"lsl_append_child_value", &lsl.append_value},
        {"lsl_create_outlet", &lsl.create_outlet}, {"lsl_destroy_outlet", &lsl.destroy_outlet},
        {"lsl_push_sample_ftp", &lsl.push_numbers}, {"lsl_push_sample_strtp", &lsl.push_texts},
        {"lsl_resolve_byprop", &lsl.resolve}, {"lsl_create_inlet", &lsl.create_inlet},
        {"lsl_open_stream", &lsl.open_stream}, {"lsl_pull_sample_f", &lsl.pull},
        {"lsl_time_correction", &lsl.correction}, {"lsl_destroy_inlet", &lsl.destroy_inlet},
    };
    const char *names[] = {getenv("LSL_LIB"), "liblsl.so.2", "liblsl.so", "liblsl.so.1", "liblsl.dylib"};
    bool is_named = names[0] && names[0][0];
    void *library = NULL;
    for (size_t index = 0; !library && index < (is_named ? 1 : sizeof names / sizeof *names); index++) {
        if (!names[index] || !names[index][0]) continue;
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (!library && !problem[0]) snprintf(problem, sizeof problem, "%s", dlerror());
    }
    if (!library) return;
    problem[0] = 0;
    find_all(library, functions, sizeof functions / sizeof *functions, problem, sizeof problem);
    // Newer ones can be told to keep quiet: what they log would be written across the participant's screen.
    void *configure = dlsym(library, "lsl_set_config_content");
    memcpy(&lsl.configure, &configure, sizeof configure);
    if (configure && !getenv("LSLAPICFG")) lsl.configure("[log]\nlevel = -3\n");
}

const char *entrain_lsl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

int entrain_lsl_version(void) { return lsl.version(); }
double entrain_lsl_clock(void) { return lsl.clock(); }

entrain_outlet *entrain_lsl_publish(const char *name, const char *type, const char *unit, const char *source) {
    void *info = lsl.create_info(name, type, 1, 0, unit ? format_float : format_text, source);
    if (!info) return NULL;
    void *description = lsl.description(info);
    if (unit) {
        void *channel = lsl.append_child(lsl.append_child(description, "channels"), "channel");
        lsl.append_value(channel, "label", type);
        lsl.append_value(channel, "unit", unit);
        lsl.append_value(channel, "type", type);
    }
    lsl.append_value(lsl.append_child(description, "acquisition"), "manufacturer", "Entrain");
    void *outlet = lsl.create_outlet(info, 0, 360);
    lsl.destroy_info(info);
    return outlet;
}

void entrain_lsl_send_number(entrain_outlet *outlet, float number, double time) {
    lsl.push_numbers(outlet, &number, time, 1);
}
void entrain_lsl_send_text(entrain_outlet *outlet, const char *text, double time) {
    lsl.push_texts(outlet, &text, time, 1);
}
void entrain_lsl_end(entrain_outlet *outlet) { lsl.destroy_outlet(outlet); }

struct entrain_inlet {
    void *inlet;
    double correction, corrected;
};

entrain_inlet *entrain_lsl_find(const char *type, const char *stream, double seconds, int *count, char *name,
                                size_t size) {
    void *found[most], *chosen = NULL;
    int32_t all = lsl.resolve(found, most, "type", type, 1, seconds);
    *count = 0;
    name[0] = 0;
    for (int32_t index = 0; index < all; index++) {
        bool is_wanted = !stream || strcmp(lsl.name(found[index]), stream) == 0 ||
                         strcmp(lsl.source(found[index]), stream) == 0;
        if (is_wanted && ++*count == 1) chosen = found[index];
    }
    entrain_inlet *inlet = *count == 1 ? calloc(1, sizeof *inlet) : NULL;
    if (inlet) {
        snprintf(name, size, "%s", lsl.name(chosen));
        inlet->inlet = lsl.create_inlet(chosen, 360, 0, 1);
        int32_t error = 0;
        if (inlet->inlet) lsl.open_stream(inlet->inlet, 5, &error);
        if (!inlet->inlet || error) {
            if (inlet->inlet) lsl.destroy_inlet(inlet->inlet);
            free(inlet);
            inlet = NULL;
        }
    }
    for (int32_t index = 0; index < all; index++) lsl.destroy_info(found[index]);
    return inlet;
}

int entrain_lsl_receive(entrain_inlet *inlet, double seconds, float *number, double *measured) {
    int32_t error = 0;
    double time = lsl.pull(inlet->inlet, number, 1, seconds, &error);
    if (error == lost) return -1;
    if (time == 0 || error) return 0;
    double now = lsl.clock();
    if (inlet->corrected == 0 || now - inlet->corrected > 5) {
        double correction = lsl.correction(inlet->inlet, 0.5, &error);
        if (!error) inlet->correction = correction;
        inlet->corrected = now;
    }
    *measured = time + inlet->correction;
    return 1;
}

void entrain_lsl_leave(entrain_inlet *inlet) {
    lsl.destroy_inlet(inlet->inlet);
    free(inlet);
}
