// libcurl: many simultaneous transfers on the one thread that runs them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library, once.
///
/// @return `NULL` where it is here; otherwise what the loader says, which stays valid.
const char *entrain_transfer_load(void);

/// The transfers of one thread. Only `entrain_transfers_wake` may be called from another thread.
typedef struct entrain_transfers entrain_transfers;

/// Handles part of a transfer: a line of a head, or bytes of a body. `false` ends the transfer.
typedef bool entrain_transfer_heard(void *context, int64_t number, bool is_head, const void *bytes, size_t count);

typedef struct {
    /// A number of the caller's choice. No two simultaneous transfers have the same number.
    int64_t number;
    const char *url;
    const char *agent;
    /// `Name: value`, ended by `NULL`.
    const char *const *headers;
    /// The body to post; `NULL` for a GET. It is copied.
    const void *body;
    size_t body_count;
    /// A file to put instead of a body, which is closed when the transfer is over; -1 for none.
    int file;
    int64_t file_size;
    /// Whether only the head of the answer is wanted.
    bool is_head;
    /// Milliseconds until a connection must exist, and until everything must be over; 0 for no limit.
    long connect_limit, limit;
    /// Seconds without a byte after which the transfer is given up; 0 for no limit.
    long silence_limit;
} entrain_request;

typedef struct {
    int64_t number;
    /// libcurl's code; 0 if the answer is complete.
    int code;
    /// The answer's status, such as 200; 0 if there is none.
    long status;
    /// What went wrong, in libcurl's words.
    char words[256];
} entrain_transfer_end;

/// @return `NULL` where there is no memory.
entrain_transfers *entrain_transfers_create(entrain_transfer_heard *heard, void *context);
void entrain_transfers_free(entrain_transfers *transfers);

/// Begins a transfer; `false` if there is no memory.
bool entrain_transfers_begin(entrain_transfers *transfers, const entrain_request *request);
/// Ends a transfer without a report, if it is still running.
void entrain_transfers_cancel(entrain_transfers *transfers, int64_t number);
/// Does what can be done, then waits for more, or until it is woken.
void entrain_transfers_turn(entrain_transfers *transfers);
/// Takes the next transfer that is over.
bool entrain_transfers_ended(entrain_transfers *transfers, entrain_transfer_end *end);
/// Ends the wait in `entrain_transfers_turn`; may be called from any thread.
void entrain_transfers_wake(entrain_transfers *transfers);
