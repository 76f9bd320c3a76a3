#include "lsl.h"
#include "find.h"
#include "lsl_prototypes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED(name) lsl_##name
#define FUNCTIONS(f) \
    f(library_version) f(local_clock) f(create_streaminfo) f(destroy_streaminfo) f(get_name) f(get_source_id) \
    f(get_desc) f(append_child) f(append_child_value) f(create_outlet) f(destroy_outlet) f(push_sample_ftp) \
    f(push_sample_strtp) f(resolve_byprop) f(create_inlet) f(open_stream) f(pull_sample_f) f(time_correction) \
    f(destroy_inlet)

LIBRARY(entrain_lsl_load)

static void load(void) {
    const wanted functions[] = {FUNCTIONS(WANTED)};
    const char *named = getenv("LSL_LIB");
    const char *const one[] = {named, NULL}, *const usual[] = {"liblsl.so.2", "liblsl.so", "liblsl.so.1", NULL};
    void *opened =
        find_all(named && *named ? one : usual, functions, sizeof functions / sizeof *functions, problem);
    // Newer versions can be told to keep quiet. Their log would otherwise appear on the participant's screen.
    void *configure = opened ? dlsym(opened, "lsl_set_config_content") : NULL;
    typeof(lsl_set_config_content) *set_config_content;
    memcpy(&set_config_content, &configure, sizeof configure);
    if (configure && !getenv("LSLAPICFG")) set_config_content("[log]\nlevel = -3\n");
}

int entrain_lsl_version(void) { return library.library_version(); }
double entrain_lsl_clock(void) { return library.local_clock(); }

entrain_outlet *entrain_lsl_publish(const char *name, const char *type, const char *unit, const char *source) {
    lsl_streaminfo info = library.create_streaminfo(name, type, 1, 0, unit ? cft_float32 : cft_string, source);
    if (!info) return NULL;
    lsl_xml_ptr description = library.get_desc(info);
    if (unit) {
        lsl_xml_ptr channel = library.append_child(library.append_child(description, "channels"), "channel");
        library.append_child_value(channel, "label", type);
        library.append_child_value(channel, "unit", unit);
        library.append_child_value(channel, "type", type);
    }
    library.append_child_value(library.append_child(description, "acquisition"), "manufacturer", "Entrain");
    lsl_outlet outlet = library.create_outlet(info, 0, 360);
    library.destroy_streaminfo(info);
    return outlet;
}

void entrain_lsl_send_number(entrain_outlet *outlet, float number, double time) {
    library.push_sample_ftp(outlet, &number, time, 1);
}
void entrain_lsl_send_text(entrain_outlet *outlet, const char *text, double time) {
    library.push_sample_strtp(outlet, &text, time, 1);
}
void entrain_lsl_end(entrain_outlet *outlet) { library.destroy_outlet(outlet); }

struct entrain_inlet {
    lsl_inlet inlet;
    double correction, corrected;
    bool is_corrected;
};

entrain_inlet *entrain_lsl_find(const char *type, const char *stream, double seconds, int *count, char *name,
                                size_t size) {
    lsl_streaminfo found[64], chosen = NULL;
    int32_t all = library.resolve_byprop(found, sizeof found / sizeof *found, "type", type, 1, seconds);
    *count = 0;
    name[0] = 0;
    for (int32_t index = 0; index < all; index++) {
        bool is_wanted = !stream || strcmp(library.get_name(found[index]), stream) == 0 ||
                         strcmp(library.get_source_id(found[index]), stream) == 0;
        if (is_wanted && ++*count == 1) chosen = found[index];
    }
    entrain_inlet *inlet = *count == 1 ? calloc(1, sizeof *inlet) : NULL;
    if (inlet) {
        snprintf(name, size, "%s", library.get_name(chosen));
        inlet->inlet = library.create_inlet(chosen, 360, 0, 1);
        int32_t error = 0;
        if (inlet->inlet) library.open_stream(inlet->inlet, 5, &error);
        if (!inlet->inlet || error) {
            if (inlet->inlet) library.destroy_inlet(inlet->inlet);
            free(inlet);
            inlet = NULL;
        }
    }
    for (int32_t index = 0; index < all; index++) library.destroy_streaminfo(found[index]);
    return inlet;
}

int entrain_lsl_receive(entrain_inlet *inlet, double seconds, float *number, double *measured) {
    int32_t error = 0;
    double time = library.pull_sample_f(inlet->inlet, number, 1, seconds, &error);
    if (error == lsl_lost_error) return -1;
    if (time == 0 || error) return 0;
    double now = library.local_clock();
    // The time stamps mean nothing until the sender's clock is known, so the first answer is waited for longer.
    if (inlet->corrected == 0 || now - inlet->corrected > (inlet->is_corrected ? 5 : 1)) {
        double correction = library.time_correction(inlet->inlet, inlet->is_corrected ? 0.5 : 2, &error);
        if (!error) {
            inlet->correction = correction;
            inlet->is_corrected = true;
        }
        inlet->corrected = library.local_clock();
    }
    if (!inlet->is_corrected) time = now, inlet->correction = 0;
    *measured = time + inlet->correction;
    return 1;
}

void entrain_lsl_leave(entrain_inlet *inlet) {
    library.destroy_inlet(inlet->inlet);
    free(inlet);
}
