#include "bus.h"
#include "find.h"
#include <systemd/sd-bus.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define NAMED(name) sd_bus_##name
#define FUNCTIONS(f) \
    f(open_system) f(new) f(set_address) f(set_bus_client) f(start) f(flush_close_unref) f(add_match_async) \
    f(message_new_method_call) f(message_append) f(call_async) f(message_unref) f(slot_set_floating) \
    f(slot_set_destroy_callback) f(slot_unref) f(process) f(get_fd) f(get_events) f(get_timeout) \
    f(message_get_path) f(message_get_interface) f(message_get_member) f(message_get_error) \
    f(message_is_method_error) f(message_peek_type) f(message_read_basic) f(message_read_array) \
    f(message_append_array) f(message_enter_container) f(message_exit_container) f(message_skip)

LIBRARY(entrain_bus_load)

static void load(void) {
    const wanted functions[] = {FUNCTIONS(WANTED)};
    const char *const names[] = {"libsystemd.so.0", NULL};
    find_all(names, functions, sizeof functions / sizeof *functions, problem);
}

struct entrain_bus {
    sd_bus *bus;
    entrain_bus_heard *heard;
    void *context;
    /// A pipe; writing into it ends the wait.
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
        *error = library.new(&opened->bus);
        if (*error >= 0) *error = library.set_address(opened->bus, address);
        if (*error >= 0) *error = library.set_bus_client(opened->bus, 1);
        if (*error >= 0) *error = library.start(opened->bus);
    } else {
        *error = library.open_system(&opened->bus);
    }
    if (*error >= 0) return opened;
    entrain_bus_free(opened);
    return NULL;
}

void entrain_bus_free(entrain_bus *bus) {
    if (bus->bus) library.flush_close_unref(bus->bus);
    close(bus->waking[0]);
    close(bus->waking[1]);
    free(bus);
}

static int hear_signal(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    entrain_bus *bus = context;
    bus->heard(bus->context, 0, message);
    return 0;
}

/// Without this, a refused match would end the connection.
static int hear_match(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)message, (void)context, (void)error;
    return 0;
}

static int hear_answer(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    call *called = context;
    called->owner->heard(called->owner->context, called->number, message);
    return 0;
}

int entrain_bus_match(entrain_bus *bus, const char *rule) {
    return library.add_match_async(bus->bus, NULL, rule, hear_signal, hear_match, bus);
}

static int append(sd_bus_message *message, entrain_argument argument, const char *text) {
    switch (argument) {
    case entrain_argument_none: return 0;
    case entrain_argument_no_options: return library.message_append(message, "a{sv}", 0);
    case entrain_argument_discovery:
        return library.message_append(message, "a{sv}", 2, "UUIDs", "as", 1, text, "Transport", "s", "le");
    case entrain_argument_bytes: {
        uint8_t bytes[64];
        size_t count = 0;
        for (unsigned byte; count < sizeof bytes && sscanf(text + 2 * count, "%2x", &byte) == 1; count++)
            bytes[count] = (uint8_t)byte;
        int result = library.message_append_array(message, 'y', bytes, count);
        return result < 0 ? result : library.message_append(message, "a{sv}", 0);
    }
    case entrain_argument_text: return library.message_append(message, "s", text);
    }
    return -EINVAL;
}

int entrain_bus_call(entrain_bus *bus, int64_t number, const char *destination, const char *path,
                     const char *interface, const char *member, entrain_argument argument, const char *text,
                     uint64_t limit_microseconds) {
    sd_bus_message *message = NULL;
    sd_bus_slot *slot = NULL;
    call *called = malloc(sizeof *called);
    if (!called) return -ENOMEM;
    *called = (call){.owner = bus, .number = number};
    int result = library.message_new_method_call(bus->bus, &message, destination, path, interface, member);
    if (result >= 0) result = append(message, argument, text);
    if (result >= 0) result = library.call_async(bus->bus, &slot, message, hear_answer, called, limit_microseconds);
    if (message) library.message_unref(message);
    if (result < 0) {
        free(called);
        return result;
    }
    library.slot_set_destroy_callback(slot, free);
    library.slot_set_floating(slot, 1);
    library.slot_unref(slot);
    return 0;
}

int entrain_bus_turn(entrain_bus *bus) {
    int result;
    while ((result = library.process(bus->bus, NULL)) > 0) continue;
    if (result < 0) return result;
    int events = library.get_events(bus->bus);
    if (events < 0) return events;
    uint64_t until = UINT64_MAX;
    if ((result = library.get_timeout(bus->bus, &until)) < 0) return result;
    int milliseconds = -1;
    if (until != UINT64_MAX) {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        uint64_t now = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
        milliseconds = until <= now ? 0 : until - now > 60000000 ? 60000 : (int)((until - now) / 1000) + 1;
    }
    struct pollfd waited[] = {
        {.fd = library.get_fd(bus->bus), .events = (short)events}, {.fd = bus->waking[0], .events = POLLIN},
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

const char *entrain_message_path(sd_bus_message *message) { return library.message_get_path(message); }
const char *entrain_message_interface(sd_bus_message *message) { return library.message_get_interface(message); }
const char *entrain_message_member(sd_bus_message *message) { return library.message_get_member(message); }

bool entrain_message_failure(sd_bus_message *message, const char **name, const char **words) {
    if (library.message_is_method_error(message, NULL) <= 0) return false;
    const sd_bus_error *error = library.message_get_error(message);
    *name = error && error->name ? error->name : "";
    *words = error && error->message ? error->message : "";
    return true;
}

int entrain_message_peek(sd_bus_message *message, char *type, const char **contents) {
    return library.message_peek_type(message, type, contents);
}

int entrain_message_read(sd_bus_message *message, char type, int64_t *number, double *real, const char **text) {
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
    int result = library.message_read_basic(message, type, &value);
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

int entrain_message_bytes(sd_bus_message *message, const void **bytes, size_t *count) {
    return library.message_read_array(message, 'y', bytes, count);
}
int entrain_message_enter(sd_bus_message *message, char type, const char *contents) {
    return library.message_enter_container(message, type, contents);
}
int entrain_message_leave(sd_bus_message *message) { return library.message_exit_container(message); }
int entrain_message_skip(sd_bus_message *message) { return library.message_skip(message, NULL); }
