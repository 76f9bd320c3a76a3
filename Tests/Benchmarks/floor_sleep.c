// The machine's floor: 100 absolute sleeps of 50 ms. Prints the error of each in nanoseconds.
#include <stdio.h>
#include <time.h>

int main(void) {
    struct timespec origin, due, now;
    clock_gettime(CLOCK_MONOTONIC, &origin);
    for (int step = 1; step <= 100; step++) {
        long long nanoseconds = origin.tv_nsec + 50000000LL * step;
        due.tv_sec = origin.tv_sec + nanoseconds / 1000000000LL;
        due.tv_nsec = nanoseconds % 1000000000LL;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%lld\n", (now.tv_sec - due.tv_sec) * 1000000000LL + (now.tv_nsec - due.tv_nsec));
    }
    return 0;
}
