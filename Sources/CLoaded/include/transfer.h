// libcurl: many transfers at once on the one thread that turns them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library, once.
///
/// @return `NULL` where it is here; otherwise what the loader says, which stays valid.
const char *entrain_transfer_load(void);

/// The transfers of one thread. Only `entrain_transfers_wake` may be called from another one.
typedef struct entrain_transfers entrain_transfers;

/// What is heard of a transfer: a line of a head, or bytes of a body. `false` ends the transfer.
typedef bool entrain_transfer_heard(void *context, int64_t number, bool is_head, const void *bytes, size_t count);

typedef struct {
    /// Of the caller's choice; no two transfers at a time have the same.
    int64_t number;
    const char *url;
    const char *agent;
    /// `Name: value`, ended by `NULL`.
    const char *const *headers;
    /// What is posted; `NULL` to get. Copied.
    const void *body;
    size_t body_count;
    /// Milliseconds until there is a connection, and until everything is over; 0 for no limit.
    long connect_limit, limit;
    /// Seconds without a byte after which the transfer is given up; 0 for no limit.
    long silence_limit;
} entrain_request;

typedef struct {
    int64_t number;
    /// libcurl's code; 0 where the answer is complete.
    int code;
    /// The answer's status, such as 200; 0 where there is none.
    long status;
    /// What went wrong, in libcurl's words.
    char words[256];
} entrain_transfer_end;

/// @return `NULL` where there is no memory.
entrain_transfers *entrain_transfers_create(entrain_transfer_heard *heard, void *context);
void entrain_transfers_free(entrain_transfers *transfers);

/// Begins a transfer; `false` where there is no memory.
bool entrain_transfers_begin(entrain_transfers *transfers, const entrain_request *request);
/// Ends a transfer without a word, if it still runs.
void entrain_transfers_cancel(entrain_transfers *transfers, int64_t number);
/// Does what can be done, then waits for more, or until it is woken.
void entrain_transfers_turn(entrain_transfers *transfers);
/// Takes the next transfer that is over.
bool entrain_transfers_ended(entrain_transfers *transfers, entrain_transfer_end *end);
/// Ends the wait of a turn; from any thread.
void entrain_transfers_wake(entrain_transfers *transfers);
