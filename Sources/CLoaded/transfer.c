#include "transfer.h"
#include "find.h"
// libcurl may be older than its headers, so only names that both know are used.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMED(name) curl_##name
#define FUNCTIONS(f) \
    f(global_init) f(easy_init) f(easy_cleanup) f(easy_setopt) f(easy_getinfo) f(easy_strerror) f(multi_init) \
    f(multi_cleanup) f(multi_add_handle) f(multi_remove_handle) f(multi_perform) f(multi_poll) f(multi_wakeup) \
    f(multi_info_read) f(slist_append) f(slist_free_all)

LIBRARY(entrain_transfer_load)

static void load(void) {
    const wanted functions[] = {FUNCTIONS(WANTED)};
    const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
    find_all(names, functions, sizeof functions / sizeof *functions, problem);
    if (!problem[0] && library.global_init(CURL_GLOBAL_ALL)) snprintf(problem, sizeof problem, "it does not start");
}

typedef struct transfer {
    struct transfer *next;
    entrain_transfers *owner;
    CURL *easy;
    struct curl_slist *headers;
    int64_t number;
    int file;
    char words[CURL_ERROR_SIZE];
} transfer;

struct entrain_transfers {
    CURLM *multi;
    entrain_transfer_heard *heard;
    void *context;
    transfer *first;
};

entrain_transfers *entrain_transfers_create(entrain_transfer_heard *heard, void *context) {
    entrain_transfers *transfers = calloc(1, sizeof *transfers);
    if (!transfers) return NULL;
    *transfers = (entrain_transfers){.multi = library.multi_init(), .heard = heard, .context = context};
    if (transfers->multi) return transfers;
    free(transfers);
    return NULL;
}

/// Ends a transfer and removes it from the list.
static void end(entrain_transfers *transfers, transfer *ended) {
    for (transfer **link = &transfers->first; *link; link = &(*link)->next)
        if (*link == ended) {
            *link = ended->next;
            break;
        }
    library.multi_remove_handle(transfers->multi, ended->easy);
    library.easy_cleanup(ended->easy);
    library.slist_free_all(ended->headers);
    if (ended->file >= 0) close(ended->file);
    free(ended);
}

void entrain_transfers_free(entrain_transfers *transfers) {
    while (transfers->first) end(transfers, transfers->first);
    library.multi_cleanup(transfers->multi);
    free(transfers);
}

static size_t hear(transfer *heard, bool is_head, const void *bytes, size_t count) {
    entrain_transfers *owner = heard->owner;
    return owner->heard(owner->context, heard->number, is_head, bytes, count) ? count : 0;
}
static size_t hear_head(char *bytes, size_t size, size_t count, void *heard) {
    return hear(heard, true, bytes, size * count);
}
static size_t hear_body(char *bytes, size_t size, size_t count, void *heard) {
    return hear(heard, false, bytes, size * count);
}

static size_t give(char *bytes, size_t size, size_t count, void *given) {
    const ssize_t got = read(((transfer *)given)->file, bytes, size * count);
    return got < 0 ? CURL_READFUNC_ABORT : (size_t)got;
}
static int begin_anew(void *given, curl_off_t offset, int origin) {
    return lseek(((transfer *)given)->file, offset, origin) < 0 ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK;
}

/// Servers on this machine are contacted directly, whatever proxy the environment names for others.
static void set_near(CURL *easy) {
    const char *named = getenv("no_proxy");
    if (!named) named = getenv("NO_PROXY");
    if (!named) named = "";
    if (!strcmp(named, "*")) return;
    char near[4096];
    const int count = snprintf(near, sizeof near, "localhost,127.0.0.1,::1%s%s", *named ? "," : "", named);
    library.easy_setopt(easy, CURLOPT_NOPROXY, count < (int)sizeof near ? near : named);
}

static void set(CURL *easy, transfer *begun, const entrain_request *request) {
    set_near(easy);
    library.easy_setopt(easy, CURLOPT_URL, request->url);
    library.easy_setopt(easy, CURLOPT_USERAGENT, request->agent);
    library.easy_setopt(easy, CURLOPT_HTTPHEADER, begun->headers);
    library.easy_setopt(easy, CURLOPT_ERRORBUFFER, begun->words);
    library.easy_setopt(easy, CURLOPT_PRIVATE, begun);
    library.easy_setopt(easy, CURLOPT_HEADERFUNCTION, hear_head);
    library.easy_setopt(easy, CURLOPT_HEADERDATA, begun);
    library.easy_setopt(easy, CURLOPT_WRITEFUNCTION, hear_body);
    library.easy_setopt(easy, CURLOPT_WRITEDATA, begun);
    library.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    library.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    // As in other programs with OpenSSL, a laboratory's own certificate is trusted if this variable names it.
    const char *authorities = getenv("SSL_CERT_FILE");
    if (authorities && *authorities) library.easy_setopt(easy, CURLOPT_CAINFO, authorities);
    library.easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    library.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    library.easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    library.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_limit);
    library.easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->limit);
    if (request->silence_limit > 0) {
        library.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
        library.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, request->silence_limit);
    }
    if (request->file >= 0) {
        library.easy_setopt(easy, CURLOPT_UPLOAD, 1L);
        library.easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->file_size);
        library.easy_setopt(easy, CURLOPT_READFUNCTION, give);
        library.easy_setopt(easy, CURLOPT_READDATA, begun);
        library.easy_setopt(easy, CURLOPT_SEEKFUNCTION, begin_anew);
        library.easy_setopt(easy, CURLOPT_SEEKDATA, begun);
    } else if (request->is_head) {
        library.easy_setopt(easy, CURLOPT_NOBODY, 1L);
    } else if (request->body) {
        library.easy_setopt(easy, CURLOPT_POST, 1L);
        library.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
        library.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body);
    } else {
        library.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
        library.easy_setopt(easy, CURLOPT_MAXREDIRS, 5L);
    }
}

bool entrain_transfers_begin(entrain_transfers *transfers, const entrain_request *request) {
    transfer *begun = calloc(1, sizeof *begun);
    CURL *easy = library.easy_init();
    if (!begun || !easy) {
        if (easy) library.easy_cleanup(easy);
        if (request->file >= 0) close(request->file);
        free(begun);
        return false;
    }
    *begun = (transfer){
        .owner = transfers, .easy = easy, .number = request->number, .file = request->file, .next = transfers->first};
    transfers->first = begun;
    for (const char *const *header = request->headers; *header; header++) {
        struct curl_slist *longer = library.slist_append(begun->headers, *header);
        if (longer) begun->headers = longer;
    }
    // Without this, a long body waits a second for a server that does not know "100 Continue".
    if (request->body || request->file >= 0) {
        struct curl_slist *longer = library.slist_append(begun->headers, "Expect:");
        if (longer) begun->headers = longer;
    }
    set(easy, begun, request);
    if (library.multi_add_handle(transfers->multi, easy) == 0) return true;
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
    library.multi_perform(transfers->multi, &running);
    int before = 0;
    for (transfer *each = transfers->first; each; each = each->next) before++;
    if (running == before) library.multi_poll(transfers->multi, NULL, 0, 60000, &ready);
}

bool entrain_transfers_ended(entrain_transfers *transfers, entrain_transfer_end *result) {
    int left = 0;
    for (CURLMsg *next; (next = library.multi_info_read(transfers->multi, &left));) {
        if (next->msg != CURLMSG_DONE) continue;
        CURLcode code = next->data.result;
        transfer *ended = NULL;
        library.easy_getinfo(next->easy_handle, CURLINFO_PRIVATE, &ended);
        *result = (entrain_transfer_end){.number = ended->number, .code = (int)code};
        library.easy_getinfo(ended->easy, CURLINFO_RESPONSE_CODE, &result->status);
        const char *words = ended->words[0] ? ended->words : library.easy_strerror(code);
        snprintf(result->words, sizeof result->words, "%s", words);
        end(transfers, ended);
        return true;
    }
    return false;
}

void entrain_transfers_wake(entrain_transfers *transfers) { library.multi_wakeup(transfers->multi); }
