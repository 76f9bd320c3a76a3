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
#include <errno.h>
#include <sys/types.h>
int pipe2(int[2], int);
int close_range(unsigned int, unsigned int, int);
long syscall(long, ...);
// By other names: Swift would take the types of <signal.h> for this module's own.
extern int entrain_signal_mask(int, const unsigned long *, unsigned long *) __asm__("sigprocmask");
extern void *entrain_signal_action(int, void *) __asm__("signal");
/// A descriptor that can be read once a child process has ended, or -1.
static inline int entrain_watch_process(pid_t process) { return (int)syscall(434, process, 0); }
/// Starts a program in a process group of its own that has these three descriptors and no others, nothing but this
/// environment, and that the kernel kills when the calling thread ends, however that comes about. The descriptors lie
/// above 2. Returns 0, or the system's error number.
static inline int entrain_spawn_tied(
    pid_t *process, const char *path, char *const words[], char *const environment[], const char *folder, int input,
    int output, int errors) {
    int report[2];
    if (pipe2(report, 02000000) != 0) return errno;  // O_CLOEXEC
    pid_t parent = getpid();
    unsigned long all[16], before[16], none[16];  // sigset_t
    for (int index = 0; index < 16; index++) (all[index] = ~0ul, none[index] = 0);
    entrain_signal_mask(2, all, before);  // SIG_SETMASK
    pid_t child = fork();
    if (child == 0) {
        // Only calls that are safe after a fork: other threads may hold any lock.
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0);  // SIGKILL
        if (getppid() != parent) _exit(127);
        for (int number = 1; number < 65; number++) entrain_signal_action(number, 0);  // SIG_DFL
        entrain_signal_mask(2, none, 0);
        int code = 0;
        if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) code = errno;
        if (code == 0 && close_range(3, ~0u, 4) != 0) code = errno;  // CLOSE_RANGE_CLOEXEC
        if (code == 0 && chdir(folder) != 0) code = errno;
        if (code == 0) {
            execve(path, words, environment);
            code = errno;
        }
        if (write(report[1], &code, sizeof code) < 0) _exit(126);
        _exit(127);
    }
    int code = child < 0 ? errno : 0;
    entrain_signal_mask(2, before, 0);
    close(report[1]);
    if (child > 0) {
        setpgid(child, child);
        ssize_t count;
        do count = read(report[0], &code, sizeof code);
        while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof code) code = 0;
    }
    close(report[0]);
    *process = child;
    return code;
}
