// D-Bus through libsystemd's sd-bus: one connection, run by one thread.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library, once.
///
/// @return `NULL` where it is here; otherwise what the loader says, which stays valid.
const char *entrain_bus_load(void);

/// A connection. Only `entrain_bus_wake` may be called from a thread other than the one that runs it.
typedef struct entrain_bus entrain_bus;

/// A message, valid while it is being handled.
typedef struct sd_bus_message entrain_message;

/// Handles the answer to call `number`, or a signal if that is 0.
typedef void entrain_bus_heard(void *context, int64_t number, entrain_message *message);

/// The argument of a call.
typedef enum {
    /// Nothing.
    entrain_argument_none,
    /// An empty map, for methods that expect options.
    entrain_argument_no_options,
    /// A filter for discovery: low energy, and the service whose UUID is `text`.
    entrain_argument_discovery,
    /// `text`, as a string.
    entrain_argument_text,
    /// At most 64 bytes, given as hexadecimal digits, and an empty map of options.
    entrain_argument_bytes,
} entrain_argument;

/// Connects.
///
/// @param address of the bus; `NULL` for the system's own.
/// @param error the system's error number, negative, where it fails.
/// @return `NULL` where it fails.
entrain_bus *entrain_bus_open(const char *address, entrain_bus_heard *heard, void *context, int *error);
void entrain_bus_free(entrain_bus *bus);

/// Subscribes to the signals that match a rule; negative on failure.
int entrain_bus_match(entrain_bus *bus, const char *rule);
/// Calls a method; its answer comes as `number`. Negative where it cannot be sent.
int entrain_bus_call(entrain_bus *bus, int64_t number, const char *destination, const char *path,
                     const char *interface, const char *member, entrain_argument argument, const char *text,
                     uint64_t limit_microseconds);
/// Does what can be done, then waits for more, or until it is woken. Negative once the connection is broken.
int entrain_bus_turn(entrain_bus *bus);
/// Ends the wait in `entrain_bus_turn`; may be called from any thread.
void entrain_bus_wake(entrain_bus *bus);

/// The origin of a signal; `NULL` if the message does not say.
const char *entrain_message_path(entrain_message *message);
const char *entrain_message_interface(entrain_message *message);
const char *entrain_message_member(entrain_message *message);
/// Why a call failed; `false` if it did not.
bool entrain_message_failure(entrain_message *message, const char **name, const char **words);

/// The next value: its type in D-Bus notation and, for containers, the type of its contents. 0 at the end.
int entrain_message_peek(entrain_message *message, char *type, const char **contents);
/// Reads a value that is not a container into 8 bytes: integers extended, a string as its address.
int entrain_message_read(entrain_message *message, char type, int64_t *number, double *real, const char **text);
int entrain_message_bytes(entrain_message *message, const void **bytes, size_t *count);
int entrain_message_enter(entrain_message *message, char type, const char *contents);
int entrain_message_leave(entrain_message *message);
/// Steps over the next value.
int entrain_message_skip(entrain_message *message);
