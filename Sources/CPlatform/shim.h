// Calls of the system that Swift's own module of the C library leaves out.
#pragma once
#ifdef __linux__
#include <sys/prctl.h>
/// Asks the kernel to wake the calling thread no later than `nanoseconds` after its deadlines; 0 on success.
static inline int entrain_set_timer_slack(unsigned long nanoseconds) {
    return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}
#else
static inline int entrain_set_timer_slack(unsigned long nanoseconds) { return 0; }
#endif
