#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/// A function of a library, and where its address belongs.
typedef struct {
    const char *name;
    void *function;
} wanted;

/// Looks all functions up; where one is missing, `problem` says which.
static inline bool find_all(void *library, const wanted *functions, size_t count, char *problem, size_t size) {
    bool is_whole = true;
    for (size_t index = 0; index < count; index++) {
        void *found = dlsym(library, functions[index].name);
        memcpy(functions[index].function, &found, sizeof found);
        if (found) continue;
        snprintf(problem, size, "it has no %s: it is too old", functions[index].name);
        is_whole = false;
    }
    return is_whole;
}
