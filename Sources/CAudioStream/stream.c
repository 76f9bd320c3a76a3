#include "CAudioStream.h"
#include <alsa/asoundlib.h>
#include <errno.h>
#include <portaudio.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { observation_count = 256 };

struct entrain_stream {
    uint32_t capacity, channels;
    float *samples;
    /// One past the last frame written; only the writing thread stores it.
    _Atomic int64_t written;
    /// One past the last frame read (input).
    _Atomic int64_t taken;
    /// Frames that the device has requested or delivered; only the callback stores it.
    _Atomic int64_t position;
    _Atomic int64_t shortages;
    entrain_observation observations[observation_count];
    _Atomic uint32_t observed, observations_taken;
    /// Posted at the end of every callback, because posting neither locks nor waits.
    sem_t called;
    PaStream *device;
    double rate, latency;
};

static int64_t monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

entrain_stream *entrain_stream_create(uint32_t frames, uint32_t channels) {
    entrain_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->capacity = 1;
    while (stream->capacity < frames) stream->capacity *= 2;
    stream->channels = channels;
    stream->samples = calloc((size_t)stream->capacity * channels, sizeof(float));
    if (!stream->samples) {
        free(stream);
        return NULL;
    }
    sem_init(&stream->called, 0, 0);
    return stream;
}

void entrain_stream_free(entrain_stream *stream) {
    sem_destroy(&stream->called);
    free(stream->samples);
    free(stream);
}

/// Copies between the ring and a plain array, around the ring's end.
static void copy_out(const entrain_stream *stream, int64_t from, float *samples, int64_t count) {
    uint32_t mask = stream->capacity - 1, channels = stream->channels;
    int64_t first = (int64_t)stream->capacity - (from & mask);
    if (first > count) first = count;
    memcpy(samples, stream->samples + (from & mask) * channels, (size_t)first * channels * sizeof(float));
    memcpy(samples + first * channels, stream->samples, (size_t)(count - first) * channels * sizeof(float));
}

static void copy_in(entrain_stream *stream, int64_t from, const float *samples, int64_t count) {
    uint32_t mask = stream->capacity - 1, channels = stream->channels;
    int64_t first = (int64_t)stream->capacity - (from & mask);
    if (first > count) first = count;
    memcpy(stream->samples + (from & mask) * channels, samples, (size_t)first * channels * sizeof(float));
    memcpy(stream->samples, samples + first * channels, (size_t)(count - first) * channels * sizeof(float));
}

static void note(entrain_stream *stream, int64_t frame, double delay, bool is_said) {
    uint32_t next = atomic_load_explicit(&stream->observed, memory_order_relaxed);
    uint32_t taken = atomic_load_explicit(&stream->observations_taken, memory_order_acquire);
    if (next - taken >= observation_count) return;
    bool is_plausible = is_said && delay >= 0 && delay < 10;
    stream->observations[next % observation_count] = (entrain_observation){
        .frame = frame, .called = monotonic_nanoseconds(), .delay = is_plausible ? (int64_t)(delay * 1e9) : -1,
    };
    atomic_store_explicit(&stream->observed, next + 1, memory_order_release);
}

static int play(const void *input, void *output, unsigned long count, const PaStreamCallbackTimeInfo *times,
                PaStreamCallbackFlags flags, void *context) {
    (void)input;
    entrain_stream *stream = context;
    int64_t position = atomic_load_explicit(&stream->position, memory_order_relaxed);
    note(stream, position, times->outputBufferDacTime - times->currentTime, times->outputBufferDacTime > 0);
    int64_t ready = atomic_load_explicit(&stream->written, memory_order_acquire) - position;
    if (ready < 0) ready = 0;
    if (ready > (int64_t)count) ready = (int64_t)count;
    copy_out(stream, position, output, ready);
    memset((float *)output + ready * stream->channels, 0,
           (count - (size_t)ready) * stream->channels * sizeof(float));
    if (ready < (int64_t)count || (flags & paOutputUnderflow))
        atomic_fetch_add_explicit(&stream->shortages, 1, memory_order_relaxed);
    atomic_store_explicit(&stream->position, position + (int64_t)count, memory_order_release);
    sem_post(&stream->called);
    return paContinue;
}

static int pick_up(const void *input, void *output, unsigned long count, const PaStreamCallbackTimeInfo *times,
                   PaStreamCallbackFlags flags, void *context) {
    (void)output;
    entrain_stream *stream = context;
    int64_t position = atomic_load_explicit(&stream->position, memory_order_relaxed);
    note(stream, position, times->currentTime - times->inputBufferAdcTime, times->inputBufferAdcTime > 0);
    int64_t written = atomic_load_explicit(&stream->written, memory_order_relaxed);
    int64_t room =
        (int64_t)stream->capacity - (written - atomic_load_explicit(&stream->taken, memory_order_acquire));
    int64_t kept = room < (int64_t)count ? room : (int64_t)count;
    if (input) copy_in(stream, written, input, kept);
    if (kept < (int64_t)count || (flags & paInputOverflow))
        atomic_fetch_add_explicit(&stream->shortages, 1, memory_order_relaxed);
    atomic_store_explicit(&stream->written, written + kept, memory_order_release);
    atomic_store_explicit(&stream->position, position + (int64_t)count, memory_order_release);
    sem_post(&stream->called);
    return paContinue;
}

bool entrain_thread_hurry(entrain_urgency urgency) {
    struct sched_param parameter = {.sched_priority = (int)urgency};
    return pthread_setschedparam(pthread_self(), SCHED_RR, &parameter) == 0;
}

/// PortAudio prints messages about a lost device on `stderr`, from its own thread and at any time. If that is
/// somebody's screen, `stderr` leads nowhere while a stream is open; the program itself writes to the descriptor.
static void silence_while_open(int opened) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int count;
    static FILE *nowhere, *kept;
    pthread_mutex_lock(&lock);
    if (!nowhere) nowhere = fopen("/dev/null", "we");
    if (nowhere && count == 0 && opened > 0 && isatty(STDERR_FILENO)) kept = stderr, stderr = nowhere;
    count += opened;
    if (kept && count == 0) stderr = kept, kept = NULL;
    pthread_mutex_unlock(&lock);
}

static int open_stream(entrain_stream *stream, int device, bool is_output, double rate, double latency) {
    const PaDeviceInfo *info = Pa_GetDeviceInfo(device);
    if (!info) return paInvalidDevice;
    PaStreamParameters parameters = {
        .device = device, .channelCount = (int)stream->channels, .sampleFormat = paFloat32,
        .suggestedLatency = latency,
    };
    const PaStreamParameters *input = is_output ? NULL : &parameters, *output = is_output ? &parameters : NULL;
    if (rate <= 0 || Pa_IsFormatSupported(input, output, rate) != paFormatIsSupported)
        rate = info->defaultSampleRate;
    PaError error = Pa_OpenStream(&stream->device, input, output, rate, paFramesPerBufferUnspecified, paNoFlag,
                                  is_output ? play : pick_up, stream);
    if (error != paNoError) {
        stream->device = NULL;
        return error;
    }
    silence_while_open(1);
    const PaStreamInfo *opened = Pa_GetStreamInfo(stream->device);
    stream->rate = opened->sampleRate;
    stream->latency = is_output ? opened->outputLatency : opened->inputLatency;
    error = Pa_StartStream(stream->device);
    if (error != paNoError) entrain_stream_close(stream);
    return error;
}

int entrain_stream_open(entrain_stream *stream, int device, bool is_output, double rate, double latency) {
    // The threads that the sound system starts for the stream inherit the caller's priority.
    struct sched_param parameter;
    int policy, known = pthread_getschedparam(pthread_self(), &policy, &parameter);
    entrain_thread_hurry(entrain_feeds_device);
    int error = open_stream(stream, device, is_output, rate, latency);
    if (known == 0) pthread_setschedparam(pthread_self(), policy, &parameter);
    return error;
}

double entrain_stream_rate(const entrain_stream *stream) { return stream->rate; }
double entrain_stream_latency(const entrain_stream *stream) { return stream->latency; }
bool entrain_stream_is_active(const entrain_stream *stream) {
    return stream->device && Pa_IsStreamActive(stream->device) == 1;
}

void entrain_stream_close(entrain_stream *stream) {
    if (!stream->device) return;
    Pa_AbortStream(stream->device);
    Pa_CloseStream(stream->device);
    stream->device = NULL;
    silence_while_open(-1);
}

int64_t entrain_stream_position(const entrain_stream *stream) {
    return atomic_load_explicit(&stream->position, memory_order_acquire);
}
int64_t entrain_stream_shortages(const entrain_stream *stream) {
    return atomic_load_explicit(&stream->shortages, memory_order_relaxed);
}

void entrain_stream_await(entrain_stream *stream, int milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    int64_t nanoseconds = time.tv_nsec + milliseconds * INT64_C(1000000);
    time.tv_sec += nanoseconds / 1000000000;
    time.tv_nsec = nanoseconds % 1000000000;
    while (sem_timedwait(&stream->called, &time) != 0 && errno == EINTR) {}
    while (sem_trywait(&stream->called) == 0) {}
}

bool entrain_stream_observe(entrain_stream *stream, entrain_observation *observation) {
    uint32_t taken = atomic_load_explicit(&stream->observations_taken, memory_order_relaxed);
    if (taken == atomic_load_explicit(&stream->observed, memory_order_acquire)) return false;
    *observation = stream->observations[taken % observation_count];
    atomic_store_explicit(&stream->observations_taken, taken + 1, memory_order_release);
    return true;
}

void entrain_stream_write(entrain_stream *stream, int64_t from, const float *samples, int64_t count) {
    copy_in(stream, from, samples, count);
    atomic_store_explicit(&stream->written, from + count, memory_order_release);
}

int64_t entrain_stream_read(entrain_stream *stream, float *samples, int64_t count) {
    int64_t taken = atomic_load_explicit(&stream->taken, memory_order_relaxed);
    int64_t ready = atomic_load_explicit(&stream->written, memory_order_acquire) - taken;
    if (ready > count) ready = count;
    copy_out(stream, taken, samples, ready);
    atomic_store_explicit(&stream->taken, taken + ready, memory_order_release);
    return ready;
}

// ALSA prints messages on standard error unless it has a handler for them.
static void ignore_message(const char *file, int line, const char *function, int error, const char *format,
                              ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}
void entrain_audio_silence_messages(void) { snd_lib_error_set_handler(ignore_message); }

bool entrain_audio_is_configured(void) {
    snd_config_t *found;
    return snd_config_update() >= 0 && snd_config
        && (snd_config_search(snd_config, "pcm.default", &found) >= 0
            || snd_config_search(snd_config, "pcm.dmix", &found) >= 0);
}
