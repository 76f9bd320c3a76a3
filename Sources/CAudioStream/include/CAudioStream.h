// The two audio callbacks, in C. A callback must never lock, allocate or wait, and Swift cannot guarantee this for
// any function (reference counts, exclusivity checks, metadata that is made on first use). Everything else about
// sound is written in Swift.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// A queue of frames from one writing thread to one reading thread, without locks. The frames of an output are
/// numbered as the device plays them. A frame that comes too late for its number is left out, so that the following
/// frames keep their time.
typedef struct entrain_stream entrain_stream;

/// What the device reported at the beginning of one callback.
typedef struct {
    /// The number of the callback's first frame.
    int64_t frame;
    /// When the callback began, nanoseconds of the monotonic clock.
    int64_t called;
    /// How long after that the first frame is heard (output), or how long before it was recorded (input),
    /// nanoseconds, as the device reports; negative if it does not say.
    int64_t delay;
} entrain_observation;

/// A stream of `channels` interleaved floats per frame with room for `frames`, rounded up to a power of two.
entrain_stream *entrain_stream_create(uint32_t frames, uint32_t channels);
void entrain_stream_free(entrain_stream *stream);

/// Opens a device for output or input and starts it. Returns 0 or PortAudio's error.
///
/// `latency` is in seconds. With a rate of 0, the device's own rate is used.
int entrain_stream_open(entrain_stream *stream, int device, bool is_output, double rate, double latency);
/// Frames per second of the open stream.
double entrain_stream_rate(const entrain_stream *stream);
/// The latency that the device reports, seconds.
double entrain_stream_latency(const entrain_stream *stream);
/// Whether the device still asks for frames, or delivers them.
bool entrain_stream_is_active(const entrain_stream *stream);
/// Closes the device; may wait for it.
void entrain_stream_close(entrain_stream *stream);

/// The number of the next frame that the device will take or give.
int64_t entrain_stream_position(const entrain_stream *stream);
/// How often the device ran out of frames or threw some away, or the callback found no frames or no room for them.
int64_t entrain_stream_shortages(const entrain_stream *stream);
/// Returns after the device's next callback, or after this many milliseconds. For one thread at a time.
void entrain_stream_await(entrain_stream *stream, int milliseconds);
/// The oldest observation that has not been taken yet; `false` if there is none.
bool entrain_stream_observe(entrain_stream *stream, entrain_observation *observation);

/// Writes frames `from ..< from + count` for an output.
void entrain_stream_write(entrain_stream *stream, int64_t from, const float *samples, int64_t count);
/// Reads up to `count` frames of an input; returns how many there were.
int64_t entrain_stream_read(entrain_stream *stream, float *samples, int64_t count);

/// What a thread does whose work must not wait for ordinary threads: the system's priorities for it.
typedef enum { entrain_decodes = 4, entrain_feeds_device = 5 } entrain_urgency;

/// Gives the calling thread priority over all ordinary threads, if the system allows it, and returns whether it
/// does.
bool entrain_thread_hurry(entrain_urgency urgency);

/// From now on, keeps the sound system's own messages off the screen.
void entrain_audio_silence_messages(void);

/// Whether the sound system's configuration can be read and names a default device. Without one, PortAudio ends the
/// whole program by an assertion.
bool entrain_audio_is_configured(void);
