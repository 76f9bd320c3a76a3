#define _GNU_SOURCE
#include "CFaults.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const uint32_t magic = 0x464e4445;
static const char *const kinds[] = {
    "", "create", "open", "write", "sync", "syncAll", "rename", "remove", "makeFolder", "truncate", "say"};

static struct {
    char root[PATH_MAX], calls[256];
    size_t root_size;
    int log, error;
    long kill, fail, clock;
    long short_size, slow, clock_seconds;
    bool fails_on, is_on;
    long number;
} faults = {.log = -1};
// A mistake that the program is given: what is done to which calls. Of the calls that fit, the ones from `first` on count:
// only that one if `step` is 0, otherwise every `step`-th.
static struct plant { char action[8], kind[12], pattern[64]; long first, step, seen; } plants[8];
static int plant_count;
// Calls are made one at a time, so that the log contains them in the order of their effect.
static pthread_mutex_t turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) _exit(70);
    return found;
}
#define REAL(name) ((__typeof__(&name))({ static void *found; if (!found) found = real(#name); found; }))

static void plant(const char *value) {
    struct plant *made = &plants[plant_count];
    char which[16] = "1+", *rest = NULL;
    if (plant_count == 8 || sscanf(value, "%7[^,],%11[^,],%63[^,],%15s", made->action, made->kind, made->pattern, which) < 3) return;
    made->first = strtol(which + (which[0] == '*'), &rest, 10);
    made->step = which[0] == '*' ? made->first : *rest == '+';
    plant_count++;
}

static void set(const char *key, const char *value) {
    char *rest = NULL;
    if (!strcmp(key, "plant")) plant(value);
    if (!strcmp(key, "root")) {
        snprintf(faults.root, sizeof faults.root, "%s", value);
        faults.root_size = strlen(faults.root);
    } else if (!strcmp(key, "calls")) {
        snprintf(faults.calls, sizeof faults.calls, ",%s,", value);
    } else if (!strcmp(key, "log")) {
        int opened = (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        // A number that the program does not use, so that its own descriptors stay the same.
        faults.log = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 900);
        if (opened >= 0) syscall(SYS_close, opened);
    } else if (!strcmp(key, "kill")) {
        faults.kill = atol(value);
    } else if (!strcmp(key, "fail")) {
        faults.fail = strtol(value, &rest, 10);
        if (*rest == '+') faults.fails_on = true, rest++;
        if (*rest == ':') faults.error = atoi(rest + 1);
    } else if (!strcmp(key, "short")) {
        faults.short_size = atol(value);
    } else if (!strcmp(key, "slow")) {
        faults.slow = atol(value);
    } else if (!strcmp(key, "clock")) {
        faults.clock = strtol(value, &rest, 10);
        if (*rest == ':') faults.clock_seconds = atol(rest + 1);
    }
}

__attribute__((constructor)) static void begin(void) {
    const char *said = getenv("ENTRAIN_FAULTS");
    if (!said) return;
    char *text = strdup(said), *rest = text;
    for (char *part; text && (part = strsep(&rest, ";"));) {
        char *value = strchr(part, '=');
        if (value) *value = 0, set(part, value + 1);
    }
    free(text);
    // Programs that this one starts are not affected.
    unsetenv("LD_PRELOAD");
    unsetenv("ENTRAIN_FAULTS");
    faults.is_on = faults.root_size > 0;
}

// A path as the kernel sees it, without `.`, `..` and double slashes. Links above the root are not followed.
static void tidy(char *path) {
    char done[PATH_MAX], *rest = path;
    size_t size = 0;
    for (char *part; (part = strsep(&rest, "/"));) {
        if (!*part || !strcmp(part, ".")) continue;
        if (!strcmp(part, "..")) {
            while (size && done[--size] != '/') {}
            continue;
        }
        size_t more = strlen(part);
        if (size + more + 2 > sizeof done) return;
        done[size++] = '/';
        memcpy(done + size, part, more);
        size += more;
    }
    done[size] = 0;
    strcpy(path, size ? done : "/");
}

static void path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = 0;
}

static void path_at(int folder, const char *name, char *path) {
    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
    } else {
        char above[PATH_MAX];
        if (folder == AT_FDCWD) { if (!getcwd(above, sizeof above)) above[0] = 0; } else path_of(folder, above);
        if (snprintf(path, PATH_MAX, "%s/%s", above, name) >= PATH_MAX) path[0] = 0;
    }
    tidy(path);
}

static bool is_below(const char *path) {
    return faults.is_on && !strncmp(path, faults.root, faults.root_size)
        && (path[faults.root_size] == '/' || path[faults.root_size] == 0);
}

static bool counts(int kind) {
    if (!faults.calls[0]) return true;
    char name[32];
    snprintf(name, sizeof name, ",%s,", kinds[kind]);
    return strstr(faults.calls, name) != NULL;
}

// Whether the program makes this mistake now.
static bool has(const char *action, const char *kind, const char *path) {
    bool found = false;
    for (struct plant *each = plants; each < plants + plant_count; each++) {
        if (strcmp(each->action, action) || strcmp(each->kind, kind) || fnmatch(each->pattern, path, 0)) continue;
        long beyond = ++each->seen - each->first;
        if (beyond == 0 || (beyond > 0 && each->step && beyond % each->step == 0)) found = true;
    }
    return found;
}

enum fate { go_on, pretend, refuse, conceal };

// What happens to the next call of a kind.
static enum fate next(int kind, const char *path) {
    if (counts(kind) && ++faults.number == faults.kill) syscall(SYS_kill, getpid(), SIGKILL);
    if (has("lose", kinds[kind], path)) return pretend;
    if (has("mute", kinds[kind], path)) return conceal;
    if (!counts(kind)) return go_on;
    long number = faults.number;
    if (faults.fail && (number == faults.fail || (faults.fails_on && number > faults.fail))) {
        errno = faults.error;
        return refuse;
    }
    return go_on;
}

static void note(int kind, long result, const char *path, const char *second, long offset, const void *bytes, size_t count) {
    if (faults.log < 0) return;
    int kept = errno;
    struct timespec now = {0};
    REAL(clock_gettime)(CLOCK_REALTIME, &now);
    struct entrain_fault_record record = {
        .magic = magic, .kind = (uint32_t)kind, .time = now.tv_sec * 1000000000L + now.tv_nsec, .number = counts(kind) ? faults.number : 0, .result = result,
        .offset = offset, .path_size = (uint32_t)strlen(path), .second_path_size = second ? (uint32_t)strlen(second) : 0,
        .byte_count = (uint32_t)count, .error = result < 0 ? (uint32_t)kept : 0};
    struct iovec parts[] = {
        {&record, sizeof record}, {(void *)path, record.path_size}, {(void *)second, record.second_path_size},
        {(void *)bytes, count}};
    if (syscall(SYS_writev, faults.log, parts, 4) < 0) _exit(70);
    errno = kept;
}

// Makes the call as its fate requires, and records it.
#define CALL(kind, path, second, offset, bytes, count, pretended, made) ({ \
    __typeof__(made) result_ = -1; \
    enum fate fate_ = next(kind, path); \
    if (fate_ == go_on) result_ = (made); \
    if (fate_ != pretend) note(kind, (long)result_, path, second, offset, bytes, fate_ == go_on && result_ >= 0 ? (size_t)(count) : 0); \
    if (fate_ == pretend || fate_ == conceal) result_ = (pretended); \
    result_; })
#define TURN pthread_mutex_lock(&turn)
#define OVER(result) ({ __typeof__(result) over_ = (result); int kept_ = errno; pthread_mutex_unlock(&turn); errno = kept_; over_; })

static int open_at(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    if (!faults.is_on) return REAL(openat)(folder, name, flags, mode);
    path_at(folder, name, path);
    if (!is_below(path)) return REAL(openat)(folder, name, flags, mode);
    TURN;
    struct stat status;
    bool is_new = (flags & O_CREAT) && fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) != 0;
    int kind = is_new ? entrain_fault_create : entrain_fault_open;
    int opened = CALL(kind, path, NULL, 0, NULL, 0, REAL(openat)(folder, name, flags & ~O_CREAT, mode),
        REAL(openat)(folder, name, flags, mode));
    if (opened >= 0 && !is_new && (flags & O_TRUNC)) note(entrain_fault_truncate, 0, path, NULL, 0, NULL, 0);
    return OVER(opened);
}
#define MODE(flags) ({ mode_t mode_ = 0; if ((flags) & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); \
    mode_ = va_arg(list, mode_t); va_end(list); } mode_; })

int open(const char *path, int flags, ...) { return open_at(AT_FDCWD, path, flags, MODE(flags)); }
int open64(const char *path, int flags, ...) { return open_at(AT_FDCWD, path, flags, MODE(flags)); }
int openat(int folder, const char *path, int flags, ...) { return open_at(folder, path, flags, MODE(flags)); }
int openat64(int folder, const char *path, int flags, ...) { return open_at(folder, path, flags, MODE(flags)); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

// A write by a program with mistakes: bytes that wait for the next write, bytes twice, one byte too few, or another digit.
static ssize_t mistaken_write(int file, const char *path, long offset, const void *bytes, size_t count) {
    static char *held;
    static size_t held_size;
    if (!held && has("hold", "write", path)) {
        held = memcpy(malloc(count), bytes, held_size = count);
        return (ssize_t)count;
    }
    char *text = memcpy(malloc(count), bytes, count);
    if (has("change", "write", path)) {
        size_t place = count;
        while (place > 0 && (text[place - 1] < '0' || text[place - 1] > '9')) place--;
        if (place > 0) text[place - 1] ^= 1;
    }
    size_t least = count - (has("trim", "write", path) ? 1 : 0);
    ssize_t written = CALL(entrain_fault_write, path, NULL, offset, text, result_, (ssize_t)count, REAL(write)(file, text, least));
    if (written >= 0 && has("twice", "write", path)) {
        written = CALL(entrain_fault_write, path, NULL, offset + written, text, result_, written, REAL(write)(file, text, least));
    }
    free(text);
    if (held) {
        CALL(entrain_fault_write, path, NULL, offset + written, held, result_, (ssize_t)held_size, REAL(write)(file, held, held_size));
        free(held);
        held = NULL;
    }
    return written < 0 ? written : (ssize_t)count;
}

ssize_t write(int file, const void *bytes, size_t count) {
    char path[PATH_MAX];
    if (!faults.is_on || file == faults.log) return REAL(write)(file, bytes, count);
    TURN;
    // Only calls below the root count. What is written to the screen goes into the log in order.
    path_of(file, path);
    if (is_below(path)) {
        struct stat status;
        bool appends = fcntl(file, F_GETFL) & O_APPEND;
        long offset = appends ? (fstat(file, &status) == 0 ? status.st_size : 0) : lseek(file, 0, SEEK_CUR);
        size_t least = faults.short_size && (long)count > faults.short_size ? (size_t)faults.short_size : count;
        if (plant_count) return OVER(mistaken_write(file, path, offset, bytes, count));
        return OVER(CALL(entrain_fault_write, path, NULL, offset, bytes, result_, (ssize_t)count,
            REAL(write)(file, bytes, least)));
    }
    ssize_t result = REAL(write)(file, bytes, count);
    if (file == STDOUT_FILENO && result > 0) note(entrain_fault_say, result, "", NULL, 0, bytes, (size_t)result);
    return OVER(result);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    char path[PATH_MAX];
    if (faults.is_on) path_of(file, path);
    if (!faults.is_on || !is_below(path)) return REAL(pwrite)(file, bytes, count, offset);
    TURN;
    return OVER(CALL(entrain_fault_write, path, NULL, offset, bytes, result_, (ssize_t)count,
        REAL(pwrite)(file, bytes, count, offset)));
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) { return pwrite(file, bytes, count, offset); }

static int sync_file(int file, int (*made)(int)) {
    char path[PATH_MAX];
    if (faults.is_on) path_of(file, path);
    if (!faults.is_on || !is_below(path)) return made(file);
    if (faults.slow) nanosleep(&(struct timespec){faults.slow / 1000000, faults.slow % 1000000 * 1000}, NULL);
    TURN;
    struct stat status;
    bool is_folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
    if (has("lose", is_folder ? "syncFolder" : "syncFile", path)) return OVER(0);
    return OVER(CALL(entrain_fault_sync, path, NULL, 0, NULL, 0, 0, made(file)));
}
int fsync(int file) { return sync_file(file, REAL(fsync)); }
int fdatasync(int file) { return sync_file(file, REAL(fdatasync)); }
int syncfs(int file) {
    char path[PATH_MAX];
    if (faults.is_on) path_of(file, path);
    if (!faults.is_on || !is_below(path)) return REAL(syncfs)(file);
    TURN;
    return OVER(CALL(entrain_fault_sync_all, path, NULL, 0, NULL, 0, 0, REAL(syncfs)(file)));
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    char path[PATH_MAX], second[PATH_MAX];
    if (faults.is_on) path_at(from, old, path), path_at(to, new, second);
    if (!faults.is_on || !is_below(path)) return REAL(renameat2)(from, old, to, new, flags);
    TURN;
    int result = CALL(entrain_fault_rename, path, second, 0, NULL, 0, 0, REAL(renameat2)(from, old, to, new, flags));
    if (result == 0 && has("remove", "rename", second)) REAL(unlinkat)(to, new, 0);
    return OVER(result);
}
int renameat(int from, const char *old, int to, const char *new) { return renameat2(from, old, to, new, 0); }
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }

int unlinkat(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    if (faults.is_on) path_at(folder, name, path);
    if (!faults.is_on || !is_below(path)) return REAL(unlinkat)(folder, name, flags);
    TURN;
    return OVER(CALL(entrain_fault_remove, path, NULL, 0, NULL, 0, 0, REAL(unlinkat)(folder, name, flags)));
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *name, mode_t mode) {
    char path[PATH_MAX];
    if (faults.is_on) path_at(folder, name, path);
    if (!faults.is_on || !is_below(path)) return REAL(mkdirat)(folder, name, mode);
    TURN;
    return OVER(CALL(entrain_fault_make_folder, path, NULL, 0, NULL, 0, 0, REAL(mkdirat)(folder, name, mode)));
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int ftruncate(int file, off_t size) {
    char path[PATH_MAX];
    if (faults.is_on) path_of(file, path);
    if (!faults.is_on || !is_below(path)) return REAL(ftruncate)(file, size);
    TURN;
    return OVER(CALL(entrain_fault_truncate, path, NULL, size, NULL, 0, 0, REAL(ftruncate)(file, size)));
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = REAL(clock_gettime)(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME && faults.clock && faults.number >= faults.clock) now->tv_sec += faults.clock_seconds;
    return result;
}

// What a person typed, read as another digit.
ssize_t read(int file, void *bytes, size_t count) {
    ssize_t result = REAL(read)(file, bytes, count);
    char path[PATH_MAX];
    if (!faults.is_on || result < 1 || !plant_count) return result;
    path_of(file, path);
    char *first = bytes;
    if (*first >= '0' && *first <= '9' && has("change", "read", path)) *first ^= 1;
    return result;
}

// Files and folders that others may read.
int fchmod(int file, mode_t mode) {
    char path[PATH_MAX];
    if (faults.is_on) path_of(file, path);
    if (faults.is_on && is_below(path) && has("share", "create", path)) mode |= 0044;
    return REAL(fchmod)(file, mode);
}
int fchmodat(int folder, const char *name, mode_t mode, int flags) {
    char path[PATH_MAX];
    if (faults.is_on) path_at(folder, name, path);
    if (faults.is_on && is_below(path) && has("share", "makeFolder", path)) mode |= 0055;
    return REAL(fchmodat)(folder, name, mode, flags);
}

// A failure that the program keeps to itself.
void _exit(int code) {
    syscall(SYS_exit_group, faults.is_on && has("conceal", "exit", "") ? 0 : code);
    __builtin_unreachable();
}
