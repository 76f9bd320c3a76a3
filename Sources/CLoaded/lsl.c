#include "lsl.h"
#include "find.h"
#include "lsl_prototypes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED(name) lsl_##name
#define FUNCTIONS(f) \
    f(library_version) f(local_clock) f(create_streaminfo) f(destroy_streaminfo) f(get_name) f(get_source_id) f(get_hostname) \
    f(get_uid) f(get_type) \
    f(get_desc) f(append_child) f(append_child_value) f(create_outlet) f(destroy_outlet) f(push_sample_ftp) \
    f(push_sample_strtp) f(create_inlet) f(open_stream) f(pull_sample_f) f(time_correction_ex) \
    f(destroy_inlet) f(get_channel_count) f(get_nominal_srate) f(get_channel_format) f(child) f(next_sibling_n) \
    f(empty) f(child_value_n) f(resolve_bypred) f(get_fullinfo) f(pull_chunk_d)

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
    double correction, corrected, doubt;
    bool is_corrected;
    /// The whole description; NULL until it was asked for.
    lsl_streaminfo info;
};

static void copy(char *text, size_t size, const char *from) { snprintf(text, size, "%s", from); }

int entrain_lsl_look(const char *predicate, double seconds, entrain_stream *streams, int room) {
    lsl_streaminfo found[64];
    int32_t count = library.resolve_bypred(found, 64, predicate, 64, seconds);
    int kept = 0;
    for (int32_t index = 0; index < count; index++) {
        if (kept == room) {
            library.destroy_streaminfo(found[index]);
            continue;
        }
        entrain_stream *stream = &streams[kept++];
        *stream = (entrain_stream){.info = found[index], .rate = library.get_nominal_srate(found[index])};
        copy(stream->name, sizeof stream->name, library.get_name(found[index]));
        copy(stream->type, sizeof stream->type, library.get_type(found[index]));
        copy(stream->source, sizeof stream->source, library.get_source_id(found[index]));
        copy(stream->host, sizeof stream->host, library.get_hostname(found[index]));
        copy(stream->instance, sizeof stream->instance, library.get_uid(found[index]));
    }
    return kept;
}

void entrain_lsl_forget(void *info) { library.destroy_streaminfo(info); }

entrain_inlet *entrain_lsl_open(void *info) {
    entrain_inlet *inlet = calloc(1, sizeof *inlet);
    if (!inlet) return NULL;
    // The library would come back to any stream with this source_id: whoever lost a stream looks for it again.
    inlet->inlet = library.create_inlet(info, 360, 0, 0);
    int32_t error = 0;
    if (inlet->inlet) library.open_stream(inlet->inlet, 5, &error);
    if (inlet->inlet && !error) return inlet;
    if (inlet->inlet) library.destroy_inlet(inlet->inlet);
    free(inlet);
    return NULL;
}

/// Measures the sender's clock now and then. Time stamps mean nothing until it is known, so the first answer is waited
/// for longer.
static void correct(entrain_inlet *inlet) {
    double now = library.local_clock();
    if (inlet->corrected != 0 && now - inlet->corrected <= (inlet->is_corrected ? 5 : 1)) return;
    int32_t error = 0;
    double theirs = 0, doubt = 0;
    double correction =
        library.time_correction_ex(inlet->inlet, &theirs, &doubt, inlet->is_corrected ? 0.5 : 2, &error);
    if (!error) {
        inlet->doubt = doubt;
        inlet->correction = correction;
        inlet->is_corrected = true;
    }
    inlet->corrected = library.local_clock();
}

bool entrain_lsl_compare(const entrain_inlet *inlet, double *correction, double *doubt) {
    *correction = inlet->correction;
    *doubt = inlet->doubt;
    return inlet->is_corrected;
}

int entrain_lsl_receive(entrain_inlet *inlet, double seconds, float *number, double *measured) {
    int32_t error = 0;
    double time = library.pull_sample_f(inlet->inlet, number, 1, seconds, &error);
    if (error == lsl_lost_error) return -1;
    if (time == 0 || error) return 0;
    double now = library.local_clock();
    correct(inlet);
    *measured = inlet->is_corrected ? time + inlet->correction : now;
    return 1;
}

int entrain_lsl_describe(entrain_inlet *inlet, double *rate, bool *is_single) {
    int32_t error = 0;
    if (!inlet->info) inlet->info = library.get_fullinfo(inlet->inlet, 5, &error);
    if (!inlet->info || error) return -1;
    lsl_channel_format_t format = library.get_channel_format(inlet->info);
    *rate = library.get_nominal_srate(inlet->info);
    *is_single = format == cft_float32;
    return format == cft_string ? 0 : library.get_channel_count(inlet->info);
}

void entrain_lsl_maker(entrain_inlet *inlet, const char *key, char *text, size_t size) {
    copy(text, size, library.child_value_n(library.child(library.get_desc(inlet->info), "acquisition"), key));
}

void entrain_lsl_channel(entrain_inlet *inlet, int index, char *label, char *unit, size_t size) {
    lsl_xml_ptr channel = library.child(library.child(library.get_desc(inlet->info), "channels"), "channel");
    while (index-- > 0 && !library.empty(channel)) channel = library.next_sibling_n(channel, "channel");
    copy(label, size, library.child_value_n(channel, "label"));
    copy(unit, size, library.child_value_n(channel, "unit"));
}

int entrain_lsl_pull(entrain_inlet *inlet, double seconds, double *values, size_t value_count, double *stamps,
                     size_t stamp_count) {
    int32_t error = 0;
    unsigned long count =
        library.pull_chunk_d(inlet->inlet, values, stamps, value_count, stamp_count, seconds, &error);
    double now = library.local_clock();
    size_t samples = count / (value_count / stamp_count);
    if (samples == 0) return error == lsl_lost_error ? -1 : 0;
    correct(inlet);
    for (size_t index = 0; index < samples; index++)
        stamps[index] = inlet->is_corrected ? stamps[index] + inlet->correction : now;
    return (int)samples;
}

void entrain_lsl_leave(entrain_inlet *inlet) {
    if (inlet->info) library.destroy_streaminfo(inlet->info);
    library.destroy_inlet(inlet->inlet);
    free(inlet);
}
