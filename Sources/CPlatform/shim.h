// Calls of the system that Swift's own module of the C library leaves out.
#pragma once
#ifdef __linux__
int syncfs(int);
/// Puts everything on disk that was written to the file system of an open file; 0 on success.
static inline int entrain_sync_file_system(int descriptor) { return syncfs(descriptor); }
#include <sys/prctl.h>
/// Asks the kernel to wake the calling thread no later than `nanoseconds` after its deadlines; 0 on success.
static inline int entrain_set_timer_slack(unsigned long nanoseconds) {
    return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}
#else
#include <unistd.h>
static inline int entrain_sync_file_system(int descriptor) { sync(); return 0; }
static inline int entrain_set_timer_slack(unsigned long nanoseconds) { return 0; }
#endif
