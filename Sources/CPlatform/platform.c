#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4u
#endif

int entrain_sync_file_system(int descriptor) { return syncfs(descriptor); }

long entrain_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (long)((unsigned long)status.f_type & 0xFFFFFFFF) : -1;
}

int entrain_rename_new(int folder, const char *from, const char *to) {
    return renameat2(folder, from, folder, to, RENAME_NOREPLACE);
}

int entrain_set_timer_slack(unsigned long nanoseconds) { return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }

int entrain_open_terminal(int flags, char *name, unsigned long size) {
    int opened = posix_openpt(flags);
    if (opened < 0) return -1;
    if (grantpt(opened) == 0 && unlockpt(opened) == 0 && ptsname_r(opened, name, size) == 0) return opened;
    close(opened);
    return -1;
}

int entrain_clock_is_kept(void) {
    struct timex state = {.modes = 0};
    return adjtimex(&state) < 0 ? -1 : !(state.status & STA_UNSYNC);
}

int entrain_ask_driver(int device, unsigned long request, void *structure) {
    int result;
    do result = ioctl(device, request, structure);
    while (result < 0 && errno == EINTR);
    return result < 0 ? errno : 0;
}

int entrain_watch_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// What the child does between fork and exec: only calls that are safe there, because other threads may hold any
/// lock.
_Noreturn static void become(
    pid_t parent, int report, const char *path, char *const words[], char *const environment[], const char *folder,
    int input, int output, int errors) {
    sigset_t none;
    // A session of its own has no terminal, so it can neither read keys nor write on the participant's screen.
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) _exit(127);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int code = 0;
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) code = errno;
    if (code == 0 && close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) != 0) code = errno;
    if (code == 0 && chdir(folder) != 0) code = errno;
    if (code == 0) {
        execve(path, words, environment);
        code = errno;
    }
    if (write(report, &code, sizeof code) < 0) _exit(126);
    _exit(127);
}

int entrain_spawn_tied(
    int *process, const char *path, char *const words[], char *const environment[], const char *folder, int input,
    int output, int errors) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) become(parent, report[1], path, words, environment, folder, input, output, errors);
    int code = child < 0 ? errno : 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child > 0) {
        ssize_t count;
        do count = read(report[0], &code, sizeof code);
        while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof code) code = 0;
    }
    close(report[0]);
    *process = child;
    return code;
}
