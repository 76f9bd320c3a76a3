// The Lab Streaming Layer's library.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library, once: the one that the variable LSL_LIB names, else the system's.
///
/// @return `NULL` where it is here; otherwise what the loader says, which stays valid.
const char *entrain_lsl_load(void);
/// Such as 118 for 1.18.
int entrain_lsl_version(void);
/// Seconds on the layer's clock, which is the machine's monotonic one.
double entrain_lsl_clock(void);

/// A stream that this program sends, with one channel and no regular rate.
typedef struct lsl_outlet_struct_ entrain_outlet;
/// @param unit of the numbers; `NULL` for a stream of texts.
/// @return `NULL` where it cannot be made.
entrain_outlet *entrain_lsl_publish(const char *name, const char *type, const char *unit, const char *source);
void entrain_lsl_send_number(entrain_outlet *outlet, float number, double time);
void entrain_lsl_send_text(entrain_outlet *outlet, const char *text, double time);
void entrain_lsl_end(entrain_outlet *outlet);

/// A stream that this program receives, with one number in each sample.
typedef struct entrain_inlet entrain_inlet;
/// A stream that was found, as it calls itself.
typedef struct {
    void *info;
    char name[256], type[64], source[256], host[256];
    /// What no other stream shares, and the same stream only until it is made again.
    char instance[64];
    /// Samples per second; 0 for an irregular stream.
    double rate;
} entrain_stream;
/// Looks for streams. It always takes the whole time, because another stream may answer later.
///
/// @param predicate XPath over a stream's description, such as `type='ECG'`.
/// @param room how many streams fit, at most 64.
/// @return how many there are; each is given to `entrain_lsl_forget` in the end.
int entrain_lsl_look(const char *predicate, double seconds, entrain_stream *streams, int room);
void entrain_lsl_forget(void *info);
/// Begins to listen to a stream until it is lost.
///
/// @return `NULL` where it does not answer.
entrain_inlet *entrain_lsl_open(void *info);
/// Waits for a number.
///
/// @param measured when, on our own clock of the layer.
/// @return 1 for a number, 0 for none in time, -1 where the stream is lost.
int entrain_lsl_receive(entrain_inlet *inlet, double seconds, float *number, double *measured);
/// How the sender's clock stands to ours, once it is known.
///
/// @param correction what is added to its time for ours, s.
/// @param doubt how far off that may be, s.
bool entrain_lsl_compare(const entrain_inlet *inlet, double *correction, double *doubt);
/// How many channels a stream has.
///
/// @param rate samples per second; 0 for an irregular stream.
/// @param is_single whether its numbers have single precision.
/// @return 0 for a stream of texts, -1 where the sender does not answer.
int entrain_lsl_describe(entrain_inlet *inlet, double *rate, bool *is_single);
/// What a described stream says of its device: its `manufacturer` or `model`, say; empty where it does not say.
void entrain_lsl_maker(entrain_inlet *inlet, const char *key, char *text, size_t size);
/// What a described stream calls a channel, and its unit; empty where it does not say.
void entrain_lsl_channel(entrain_inlet *inlet, int index, char *label, char *unit, size_t size);
/// Collects samples for a time.
///
/// @param values sample by sample, each with a number for every channel.
/// @param value_count how many fit; the number of channels times `stamp_count`.
/// @param stamps when each sample was measured, on our own clock of the layer.
/// @return how many samples came, -1 where the stream is lost.
int entrain_lsl_pull(entrain_inlet *inlet, double seconds, double *values, size_t value_count, double *stamps,
                     size_t stamp_count);
void entrain_lsl_leave(entrain_inlet *inlet);
