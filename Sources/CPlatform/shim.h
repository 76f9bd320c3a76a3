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
#include <unistd.h>
#include <sys/prctl.h>
/// Asks the kernel to wake the calling thread no later than `nanoseconds` after its deadlines; 0 on success.
static inline int entrain_set_timer_slack(unsigned long nanoseconds) {
    return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}
int posix_openpt(int);
int grantpt(int);
int unlockpt(int);
int ptsname_r(int, char *, unsigned long);
/// Opens a new pseudo-terminal and gives the name of its other end; its descriptor, or -1.
static inline int entrain_open_terminal(int flags, char *name, unsigned long size) {
    int opened = posix_openpt(flags);
    if (opened < 0) return -1;
    if (grantpt(opened) == 0 && unlockpt(opened) == 0 && ptsname_r(opened, name, size) == 0) return opened;
    close(opened);
    return -1;
}
