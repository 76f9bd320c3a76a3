// The two audio callbacks, in C: a callback must never lock, allocate or wait, and Swift does not promise that
// of any function (reference counts, exclusivity checks, metadata made on first use). Everything else about
// sound is Swift.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Frames between one thread that writes and one that reads, without locks. The frames of an output are
/// numbered as the device plays them: a frame that comes too late for its number is left out, so that those
/// behind it keep their time.
typedef struct entrain_stream entrain_stream;

/// What the device said at the beginning of one callback.
typedef struct {
    /// The number of the callback's first frame.
    int64_t frame;
    /// When the callback began, nanoseconds of the monotonic clock.
    int64_t called;
    /// How long after that the first frame is heard (output) or how long before it was picked up (input),
    /// nanoseconds, as the device says; negative where it does not say.
    int64_t delay;
} entrain_observation;

/// A stream of `channels` interleaved floats per frame with room for `frames`, rounded up to a power of two.
entrain_stream *entrain_stream_create(uint32_t frames, uint32_t channels);
void entrain_stream_free(entrain_stream *stream);

/// Opens a device for output or input and starts it; 0 or PortAudio's error.
///
/// `latency` in seconds. A rate of 0 takes the device's own.
int entrain_stream_open(entrain_stream *stream, int device, bool is_output, double rate, double latency);
/// Frames per second of the open stream.
double entrain_stream_rate(const entrain_stream *stream);
/// The latency that the device reports, seconds.
double entrain_stream_latency(const entrain_stream *stream);
/// Whether the device still asks for frames, or gives them.
bool entrain_stream_is_active(const entrain_stream *stream);
/// Closes the device; may wait for it.
void entrain_stream_close(entrain_stream *stream);

/// The number of the next frame that the device will take or give.
int64_t entrain_stream_position(const entrain_stream *stream);
/// How often the device ran dry or threw frames away, or the callback found no frames, or no room for them.
int64_t entrain_stream_shortages(const entrain_stream *stream);
/// Returns after the device's next callback, or after so many milliseconds; for one thread at a time.
void entrain_stream_await(entrain_stream *stream, int milliseconds);
/// The oldest observation that was not taken yet; `false` where there is none.
bool entrain_stream_observe(entrain_stream *stream, entrain_observation *observation);

/// Writes frames `from ..< from + count` for an output.
void entrain_stream_write(entrain_stream *stream, int64_t from, const float *samples, int64_t count);
/// Reads up to `count` frames of an input; returns how many there were.
int64_t entrain_stream_read(entrain_stream *stream, float *samples, int64_t count);

/// Lets the calling thread go before all ordinary ones, where the system allows that; says whether it does.
bool entrain_thread_hurry(void);

/// Keeps the sound system's own messages off the screen, from now on.
void entrain_audio_silence_messages(void);

/// Whether the sound system's configuration can be read and names a default device: without one PortAudio ends the
/// whole program by an assertion.
bool entrain_audio_is_configured(void);
