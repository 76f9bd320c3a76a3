#include "bus.h"
#include "find.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

// Of sd-bus's interface, which keeps these names and types: systemd/sd-bus.h.
typedef struct sd_bus sd_bus;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct {
    const char *name;
    const char *message;
    int need_free;
} sd_bus_error;
typedef int handler(entrain_message *, void *, sd_bus_error *);

static struct {
    int (*open_system)(sd_bus **);
    int (*create)(sd_bus **);
    int (*set_address)(sd_bus *, const char *);
    int (*set_bus_client)(sd_bus *, int);
    int (*start)(sd_bus *);
    sd_bus *(*close_unref)(sd_bus *);
    int (*add_match_async)(sd_bus *, sd_bus_slot **, const char *, handler *, handler *, void *);
    int (*new_call)(sd_bus *, entrain_message **, const char *, const char *, const char *, const char *);
    int (*append)(entrain_message *, const char *, ...);
    int (*call_async)(sd_bus *, sd_bus_slot **, entrain_message *, handler *, void *, uint64_t);
    entrain_message *(*message_unref)(entrain_message *);
    int (*slot_set_floating)(sd_bus_slot *, int);
    int (*slot_set_destroy)(sd_bus_slot *, void (*)(void *));
    sd_bus_slot *(*slot_unref)(sd_bus_slot *);
    int (*process)(sd_bus *, entrain_message **);
    int (*get_fd)(sd_bus *);
    int (*get_events)(sd_bus *);
    int (*get_timeout)(sd_bus *, uint64_t *);
    const char *(*path)(entrain_message *);
    const char *(*interface)(entrain_message *);
    const char *(*member)(entrain_message *);
    const sd_bus_error *(*error)(entrain_message *);
    int (*is_method_error)(entrain_message *, const char *);
    int (*peek)(entrain_message *, char *, const char **);
    int (*read_basic)(entrain_message *, char, void *);
    int (*read_array)(entrain_message *, char, const void **, size_t *);
    int (*enter)(entrain_message *, char, const char *);
    int (*leave)(entrain_message *);
    int (*skip)(entrain_message *, const char *);
} sd;

static char problem[256];

static void load(void) {
    const wanted functions[] = {
        {"sd_bus_open_system", &sd.open_system}, {"sd_bus_new", &sd.create},
        {"sd_bus_set_address", &sd.set_address}, {"sd_bus_set_bus_client", &sd.set_bus_client},
        {"sd_bus_start", &sd.start}, {"sd_bus_flush_close_unref", &sd.close_unref},
        {"sd_bus_add_match_async", &sd.add_match_async}, {"sd_bus_message_new_method_call", &sd.new_call},
        {"sd_bus_message_append", &sd.append}, {"sd_bus_call_async", &sd.call_async},
        {"sd_bus_message_unref", &sd.message_unref}, {"sd_bus_slot_set_floating", &sd.slot_set_floating},
        {"sd_bus_slot_set_destroy_callback", &sd.slot_set_destroy}, {"sd_bus_slot_unref", &sd.slot_unref},
        {"sd_bus_process", &sd.process}, {"sd_bus_get_fd", &sd.get_fd}, {"sd_bus_get_events", &sd.get_events},
        {"sd_bus_get_timeout", &sd.get_timeout}, {"sd_bus_message_get_path", &sd.path},
        {"sd_bus_message_get_interface", &sd.interface}, {"sd_bus_message_get_member", &sd.member},
        {"sd_bus_message_get_error", &sd.error}, {"sd_bus_message_is_method_error", &sd.is_method_error},
        {"sd_bus_message_peek_type", &sd.peek}, {"sd_bus_message_read_basic", &sd.read_basic},
        {"sd_bus_message_read_array", &sd.read_array}, {"sd_bus_message_enter_container", &sd.enter},
        {"sd_bus_message_exit_container", &sd.leave}, {"sd_bus_message_skip", &sd.skip},
    };
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(problem, sizeof problem, "%s", dlerror());
        return;
    }
    find_all(library, functions, sizeof functions / sizeof *functions, problem, sizeof problem);
}

const char *entrain_bus_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

struct entrain_bus {
    sd_bus *bus;
    entrain_bus_heard *heard;
    void *context;
    /// A pipe: what is written into it ends the wait.
    int waking[2];
};

typedef struct {
    entrain_bus *owner;
    int64_t number;
} call;

entrain_bus *entrain_bus_open(const char *address, entrain_bus_heard *heard, void *context, int *error) {
    entrain_bus *opened = calloc(1, sizeof *opened);
    if (!opened) {
        *error = -ENOMEM;
        return NULL;
    }
    *opened = (entrain_bus){.heard = heard, .context = context};
    if (pipe(opened->waking) != 0) {
        *error = -errno;
        free(opened);
        return NULL;
    }
    for (int end = 0; end < 2; end++) {
        fcntl(opened->waking[end], F_SETFD, FD_CLOEXEC);
        fcntl(opened->waking[end], F_SETFL, O_NONBLOCK);
    }
    if (address) {
        *error = sd.create(&opened->bus);
        if (*error >= 0) *error = sd.set_address(opened->bus, address);
        if (*error >= 0) *error = sd.set_bus_client(opened->bus, 1);
        if (*error >= 0) *error = sd.start(opened->bus);
    } else {
        *error = sd.open_system(&opened->bus);
    }
    if (*error >= 0) return opened;
    entrain_bus_free(opened);
    return NULL;
}

void entrain_bus_free(entrain_bus *bus) {
    if (bus->bus) sd.close_unref(bus->bus);
    close(bus->waking[0]);
    close(bus->waking[1]);
    free(bus);
}

static int hear_signal(entrain_message *message, void *context, sd_bus_error *error) {
    (void)error;
    entrain_bus *bus = context;
    bus->heard(bus->context, 0, message);
    return 0;
}

/// Without it a refused match would end the connection.
static int hear_match(entrain_message *message, void *context, sd_bus_error *error) {
    (void)message, (void)context, (void)error;
    return 0;
}

static int hear_answer(entrain_message *message, void *context, sd_bus_error *error) {
    (void)error;
    call *called = context;
    called->owner->heard(called->owner->context, called->number, message);
    return 0;
}

int entrain_bus_match(entrain_bus *bus, const char *rule) {
    return sd.add_match_async(bus->bus, NULL, rule, hear_signal, hear_match, bus);
}

static int append(entrain_message *message, entrain_argument argument, const char *text) {
    switch (argument) {
    case entrain_argument_none: return 0;
    case entrain_argument_no_options: return sd.append(message, "a{sv}", 0);
    case entrain_argument_discovery:
        return sd.append(message, "a{sv}", 2, "UUIDs", "as", 1, text, "Transport", "s", "le");
    case entrain_argument_text: return sd.append(message, "s", text);
    }
    return -EINVAL;
}

int entrain_bus_call(entrain_bus *bus, int64_t number, const char *destination, const char *path,
                     const char *interface, const char *member, entrain_argument argument, const char *text,
                     uint64_t limit_microseconds) {
    entrain_message *message = NULL;
    sd_bus_slot *slot = NULL;
    call *called = malloc(sizeof *called);
    if (!called) return -ENOMEM;
    *called = (call){.owner = bus, .number = number};
    int result = sd.new_call(bus->bus, &message, destination, path, interface, member);
    if (result >= 0) result = append(message, argument, text);
    if (result >= 0) result = sd.call_async(bus->bus, &slot, message, hear_answer, called, limit_microseconds);
    if (message) sd.message_unref(message);
    if (result < 0) {
        free(called);
        return result;
    }
    sd.slot_set_destroy(slot, free);
    sd.slot_set_floating(slot, 1);
    sd.slot_unref(slot);
    return 0;
}

int entrain_bus_turn(entrain_bus *bus) {
    int result;
    while ((result = sd.process(bus->bus, NULL)) > 0) continue;
    if (result < 0) return result;
    int events = sd.get_events(bus->bus);
    if (events < 0) return events;
    uint64_t until = UINT64_MAX;
    if ((result = sd.get_timeout(bus->bus, &until)) < 0) return result;
    int milliseconds = -1;
    if (until != UINT64_MAX) {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        uint64_t now = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
        milliseconds = until <= now ? 0 : until - now > 60000000 ? 60000 : (int)((until - now) / 1000) + 1;
    }
    struct pollfd waited[] = {
        {.fd = sd.get_fd(bus->bus), .events = (short)events}, {.fd = bus->waking[0], .events = POLLIN},
    };
    poll(waited, 2, milliseconds);
    char bytes[64];
    while (read(bus->waking[0], bytes, sizeof bytes) > 0) continue;
    return 0;
}

void entrain_bus_wake(entrain_bus *bus) {
    char byte = 0;
    ssize_t written = write(bus->waking[1], &byte, 1);
    (void)written;
}

const char *entrain_message_path(entrain_message *message) { return sd.path(message); }
const char *entrain_message_interface(entrain_message *message) { return sd.interface(message); }
const char *entrain_message_member(entrain_message *message) { return sd.member(message); }

bool entrain_message_failure(entrain_message *message, const char **name, const char **words) {
    if (sd.is_method_error(message, NULL) <= 0) return false;
    const sd_bus_error *error = sd.error(message);
    *name = error && error->name ? error->name : "";
    *words = error && error->message ? error->message : "";
    return true;
}

int entrain_message_peek(entrain_message *message, char *type, const char **contents) {
    return sd.peek(message, type, contents);
}

int entrain_message_read(entrain_message *message, char type, int64_t *number, double *real, const char **text) {
    union {
        uint8_t y;
        int16_t n;
        uint16_t q;
        int b;
        int32_t i;
        uint32_t u;
        int64_t x;
        double d;
        const char *s;
    } value = {.x = 0};
    int result = sd.read_basic(message, type, &value);
    if (result <= 0) return result;
    switch (type) {
    case 'y': *number = value.y; break;
    case 'n': *number = value.n; break;
    case 'q': *number = value.q; break;
    case 'b': *number = value.b != 0; break;
    case 'i': case 'h': *number = value.i; break;
    case 'u': *number = value.u; break;
    case 'x': case 't': *number = value.x; break;
    case 'd': *real = value.d; break;
    default: *text = value.s; break;
    }
    return result;
}

int entrain_message_bytes(entrain_message *message, const void **bytes, size_t *count) {
    return sd.read_array(message, 'y', bytes, count);
}
int entrain_message_enter(entrain_message *message, char type, const char *contents) {
    return sd.enter(message, type, contents);
}
int entrain_message_leave(entrain_message *message) { return sd.leave(message); }
int entrain_message_skip(entrain_message *message) { return sd.skip(message, NULL); }
