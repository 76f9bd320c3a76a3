// Preloaded into a program that `entrain drill` runs: counts, records and breaks the calls that change files below
// a folder. The variable ENTRAIN_FAULTS says what it does, as a list `key=value;…`. Nothing is exported for other
// code.
//
//     root=FOLDER      the calls that count are those on files below; the others go through untouched
//     log=FILE         appends each such call, with what it wrote, as `struct entrain_fault_record`
//     calls=write,sync counts only calls of these kinds
//     kill=N           ends the program by SIGKILL before the N-th call
//     fail=N:ERRNO     lets the N-th call fail; `N+` every call from the N-th on
//     short=BYTES      a write takes so many bytes at most
//     slow=MICROS      a sync takes so much longer
//     clock=N:SECONDS  the wall clock is set by so many seconds at the N-th call
//     plant=ACTION,KIND,PATTERN[,WHICH]  a mistake of the program in calls of a kind on paths that fit, as a shell says it;
//                      WHICH is `3` (only the third), `3+` (from the third on) or `*3` (every third), otherwise all
//
// What a mistake does: `lose` says that a call worked, and does not make it (of `syncFile` and `syncFolder`, too); `mute`
// says so of a call that failed; `twice`, `trim`, `change` and `hold` write everything twice, a byte less, another digit,
// or after the next write; `share` lets all read what is made; `remove` deletes what was renamed; `change` of `read` gives
// another digit than was typed; `conceal` of `exit` ends the program with 0.
#pragma once
#include <stdint.h>

/// Kinds of calls in the log.
enum entrain_fault_kind {
    entrain_fault_create = 1, entrain_fault_open, entrain_fault_write, entrain_fault_sync, entrain_fault_sync_all,
    entrain_fault_rename, entrain_fault_remove, entrain_fault_make_folder, entrain_fault_truncate,
    entrain_fault_say,
};

/// One call in the log, in the machine's byte order; the path, the second path and the bytes follow it.
struct entrain_fault_record {
    uint32_t magic, kind;
    /// `time` is in nanoseconds since 1970.
    int64_t number, result, offset, time;
    uint32_t path_size, second_path_size, byte_count, error;
};
