// Calls of the system that Swift's own module of the C library leaves out.
#pragma once
int syncfs(int);
/// Puts everything on disk that was written to the file system of an open file; 0 on success.
static inline int entrain_sync_file_system(int descriptor) { return syncfs(descriptor); }
int renameat2(int, const char *, int, const char *, unsigned int);
/// Renames within an open folder unless something has the new name; 0 on success. The flag is RENAME_NOREPLACE.
static inline int entrain_rename_new(int folder, const char *from, const char *to) {
    return renameat2(folder, from, folder, to, 1u);
}
#include <sys/prctl.h>
/// Asks the kernel to wake the calling thread no later than `nanoseconds` after its deadlines; 0 on success.
static inline int entrain_set_timer_slack(unsigned long nanoseconds) {
    return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}
