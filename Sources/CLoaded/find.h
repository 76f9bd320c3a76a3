#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// A library's functions are listed once, as `FUNCTIONS(f)`, without their common prefix, which `NAMED` adds to a
// name. For each function, `DECLARED` makes a pointer of the type in the library's own header, and `WANTED` an
// entry to look up.
#define DECLARED(name) typeof(NAMED(name)) *name;
#define WANTED(name) {TEXT(NAMED(name)), &library.name},
#define TEXT(name) QUOTED(name)
#define QUOTED(name) #name

/// Defines `library`, whose members are its functions, and `loaded`, which calls `load` once and returns what is
/// missing, or NULL.
#define LIBRARY(loaded) \
    static struct { FUNCTIONS(DECLARED) } library; \
    static char problem[256]; \
    static void load(void); \
    const char *loaded(void) { \
        static pthread_once_t once = PTHREAD_ONCE_INIT; \
        pthread_once(&once, load); \
        return problem[0] ? problem : NULL; \
    }

/// A function of a library, and where its address is stored.
typedef struct {
    const char *name;
    void *function;
} wanted;

/// Opens the first library of these names, which `NULL` ends, and looks all functions up.
///
/// @param problem why that failed: no library, or a function that it lacks; empty where all is well.
static inline void *find_all(const char *const *names, const wanted *functions, size_t count, char problem[256]) {
    void *opened = NULL;
    // Some libraries, SoundTouch for one, make the thread that loads them take the smallest numbers for 0.
    fenv_t arithmetic;
    fegetenv(&arithmetic);
    for (; !opened && *names; names++) {
        opened = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (!opened && !problem[0]) snprintf(problem, 256, "%s", dlerror());
    }
    fesetenv(&arithmetic);
    if (!opened) return NULL;
    problem[0] = 0;
    for (size_t index = 0; index < count; index++) {
        void *found = dlsym(opened, functions[index].name);
        memcpy(functions[index].function, &found, sizeof found);
        if (!found) snprintf(problem, 256, "it has no %s: it is too old", functions[index].name);
    }
    return opened;
}
