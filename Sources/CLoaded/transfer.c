#include "transfer.h"
#include "find.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of libcurl's interface, which keeps these names and numbers: curl/curl.h, curl/multi.h.
enum {
    global_all = 3,
    option_post = 47, option_follow = 52, option_redirections = 68, option_no_signal = 99,
    option_silence_bytes = 19, option_silence_seconds = 20, option_limit = 155, option_connect_limit = 156,
    option_protocols = 181, option_redirection_protocols = 182, option_keep_alive = 213,
    option_body_data = 10001, option_url = 10002, option_words = 10010, option_agent = 10018,
    option_headers = 10023, option_head_data = 10029, option_encoding = 10102, option_private = 10103,
    option_authorities = 10065, option_posted = 10165, option_near = 10177, option_body = 20011, option_head = 20079, option_posted_count = 30120,
    http_and_https = 3, info_private = 0x100000 + 21, info_status = 0x200000 + 2, message_done = 1,
};

typedef struct {
    int kind;
    void *easy;
    union {
        void *pointer;
        int code;
    } of;
} message;

static struct {
    int (*global_init)(long);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    const char *(*easy_strerror)(int);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_add)(void *, void *);
    int (*multi_remove)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned, int, int *);
    int (*multi_wakeup)(void *);
    message *(*multi_read)(void *, int *);
    void *(*list_append)(void *, const char *);
    void (*list_free)(void *);
} curl;

static char problem[256];

static void load(void) {
    const char *names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"};
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (!library && index == 0) snprintf(problem, sizeof problem, "%s", dlerror());
    }
    if (!library) return;
    problem[0] = 0;
    const wanted functions[] = {
        {"curl_global_init", &curl.global_init}, {"curl_easy_init", &curl.easy_init},
        {"curl_easy_cleanup", &curl.easy_cleanup}, {"curl_easy_setopt", &curl.easy_setopt},
        {"curl_easy_getinfo", &curl.easy_getinfo}, {"curl_easy_strerror", &curl.easy_strerror},
        {"curl_multi_init", &curl.multi_init}, {"curl_multi_cleanup", &curl.multi_cleanup},
        {"curl_multi_add_handle", &curl.multi_add}, {"curl_multi_remove_handle", &curl.multi_remove},
        {"curl_multi_perform", &curl.multi_perform}, {"curl_multi_poll", &curl.multi_poll},
        {"curl_multi_wakeup", &curl.multi_wakeup}, {"curl_multi_info_read", &curl.multi_read},
        {"curl_slist_append", &curl.list_append}, {"curl_slist_free_all", &curl.list_free},
    };
    bool is_whole =
        find_all(library, functions, sizeof functions / sizeof *functions, problem, sizeof problem);
    if (is_whole && curl.global_init(global_all) != 0) snprintf(problem, sizeof problem, "it does not start");
}

const char *entrain_transfer_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

typedef struct transfer {
    struct transfer *next;
    entrain_transfers *owner;
    void *easy, *headers;
    int64_t number;
    char words[256];
} transfer;

struct entrain_transfers {
    void *multi;
    entrain_transfer_heard *heard;
    void *context;
    transfer *first;
};

entrain_transfers *entrain_transfers_create(entrain_transfer_heard *heard, void *context) {
    entrain_transfers *transfers = calloc(1, sizeof *transfers);
    if (!transfers) return NULL;
    *transfers = (entrain_transfers){.multi = curl.multi_init(), .heard = heard, .context = context};
    if (transfers->multi) return transfers;
    free(transfers);
    return NULL;
}

/// Ends a transfer and takes it out of the list.
static void end(entrain_transfers *transfers, transfer *ended) {
    for (transfer **link = &transfers->first; *link; link = &(*link)->next)
        if (*link == ended) {
            *link = ended->next;
            break;
        }
    curl.multi_remove(transfers->multi, ended->easy);
    curl.easy_cleanup(ended->easy);
    curl.list_free(ended->headers);
    free(ended);
}

void entrain_transfers_free(entrain_transfers *transfers) {
    while (transfers->first) end(transfers, transfers->first);
    curl.multi_cleanup(transfers->multi);
    free(transfers);
}

static size_t hear(transfer *heard, bool is_head, const void *bytes, size_t count) {
    entrain_transfers *owner = heard->owner;
    return owner->heard(owner->context, heard->number, is_head, bytes, count) ? count : 0;
}
static size_t hear_head(const void *bytes, size_t size, size_t count, void *heard) {
    return hear(heard, true, bytes, size * count);
}
static size_t hear_body(const void *bytes, size_t size, size_t count, void *heard) {
    return hear(heard, false, bytes, size * count);
}

/// What is on this machine is asked directly, whatever proxy the environment names for everything else.
static void set_near(void *easy) {
    const char *named = getenv("no_proxy");
    if (!named) named = getenv("NO_PROXY");
    if (!named) named = "";
    if (!strcmp(named, "*")) return;
    char near[4096];
    const int count = snprintf(near, sizeof near, "localhost,127.0.0.1,::1%s%s", *named ? "," : "", named);
    curl.easy_setopt(easy, option_near, count < (int)sizeof near ? near : named);
}

static void set(void *easy, transfer *begun, const entrain_request *request) {
    set_near(easy);
    curl.easy_setopt(easy, option_url, request->url);
    curl.easy_setopt(easy, option_agent, request->agent);
    curl.easy_setopt(easy, option_headers, begun->headers);
    curl.easy_setopt(easy, option_words, begun->words);
    curl.easy_setopt(easy, option_private, begun);
    curl.easy_setopt(easy, option_head, hear_head);
    curl.easy_setopt(easy, option_head_data, begun);
    curl.easy_setopt(easy, option_body, hear_body);
    curl.easy_setopt(easy, option_body_data, begun);
    curl.easy_setopt(easy, option_encoding, "");
    curl.easy_setopt(easy, option_no_signal, 1L);
    // As other programs on OpenSSL: a laboratory's own certificate is trusted where this variable names it.
    const char *authorities = getenv("SSL_CERT_FILE");
    if (authorities && *authorities) curl.easy_setopt(easy, option_authorities, authorities);
    curl.easy_setopt(easy, option_keep_alive, 1L);
    curl.easy_setopt(easy, option_protocols, (long)http_and_https);
    curl.easy_setopt(easy, option_redirection_protocols, (long)http_and_https);
    curl.easy_setopt(easy, option_connect_limit, request->connect_limit);
    curl.easy_setopt(easy, option_limit, request->limit);
    if (request->silence_limit > 0) {
        curl.easy_setopt(easy, option_silence_bytes, 1L);
        curl.easy_setopt(easy, option_silence_seconds, request->silence_limit);
    }
    if (request->body) {
        curl.easy_setopt(easy, option_post, 1L);
        curl.easy_setopt(easy, option_posted_count, (int64_t)request->body_count);
        curl.easy_setopt(easy, option_posted, request->body);
    } else {
        curl.easy_setopt(easy, option_follow, 1L);
        curl.easy_setopt(easy, option_redirections, 5L);
    }
}

bool entrain_transfers_begin(entrain_transfers *transfers, const entrain_request *request) {
    transfer *begun = calloc(1, sizeof *begun);
    void *easy = curl.easy_init();
    if (!begun || !easy) {
        if (easy) curl.easy_cleanup(easy);
        free(begun);
        return false;
    }
    *begun = (transfer){.owner = transfers, .easy = easy, .number = request->number, .next = transfers->first};
    transfers->first = begun;
    for (const char *const *header = request->headers; *header; header++) {
        void *longer = curl.list_append(begun->headers, *header);
        if (longer) begun->headers = longer;
    }
    // Without this a long body waits a second for a server that knows nothing of "100 Continue".
    if (request->body) {
        void *longer = curl.list_append(begun->headers, "Expect:");
        if (longer) begun->headers = longer;
    }
    set(easy, begun, request);
    if (curl.multi_add(transfers->multi, easy) == 0) return true;
    end(transfers, begun);
    return false;
}

void entrain_transfers_cancel(entrain_transfers *transfers, int64_t number) {
    for (transfer *running = transfers->first; running; running = running->next)
        if (running->number == number) {
            end(transfers, running);
            return;
        }
}

void entrain_transfers_turn(entrain_transfers *transfers) {
    int running = 0, ready = 0;
    curl.multi_perform(transfers->multi, &running);
    int before = 0;
    for (transfer *each = transfers->first; each; each = each->next) before++;
    if (running == before) curl.multi_poll(transfers->multi, NULL, 0, 60000, &ready);
}

bool entrain_transfers_ended(entrain_transfers *transfers, entrain_transfer_end *result) {
    int left = 0;
    for (message *next; (next = curl.multi_read(transfers->multi, &left));) {
        if (next->kind != message_done) continue;
        int code = next->of.code;
        transfer *ended = NULL;
        curl.easy_getinfo(next->easy, info_private, &ended);
        *result = (entrain_transfer_end){.number = ended->number, .code = code};
        curl.easy_getinfo(ended->easy, info_status, &result->status);
        const char *words = ended->words[0] ? ended->words : curl.easy_strerror(code);
        snprintf(result->words, sizeof result->words, "%s", words);
        end(transfers, ended);
        return true;
    }
    return false;
}

void entrain_transfers_wake(entrain_transfers *transfers) { curl.multi_wakeup(transfers->multi); }
