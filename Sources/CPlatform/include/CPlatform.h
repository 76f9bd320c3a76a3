// System calls that Swift's own module of the C library lacks.
//
// It includes no system header, because Swift would take that header's types for this module's own.
#pragma once

/// Puts everything on disk that was written to the file system of an open file; 0 on success.
int entrain_sync_file_system(int descriptor);

/// The type number of the file system that contains a path, as statfs(2) lists them; or -1.
long entrain_file_system_type(const char *path);

/// Renames within an open folder unless something has the new name; 0 on success.
int entrain_rename_new(int folder, const char *from, const char *to);

/// Asks the kernel to wake the calling thread at most `nanoseconds` after its deadlines; 0 on success.
int entrain_set_timer_slack(unsigned long nanoseconds);

/// Opens a new pseudo-terminal and stores the name of its other end. Returns its descriptor, or -1.
int entrain_open_terminal(int flags, char *name, unsigned long size);

/// 1 if something synchronises the system's clock, 0 if nothing does, or -1.
int entrain_clock_is_kept(void);

/// A descriptor that becomes readable when a child process has ended, or -1.
int entrain_watch_process(int process);

/// One call of a device's driver with its structure. Returns 0, or the system's error number.
int entrain_ask_driver(int device, unsigned long request, void *structure);

/// Starts a program in a process group of its own with these three descriptors and no others, and with only this
/// environment. The kernel kills it when the calling thread ends, for whatever reason. The descriptors must be
/// above 2. Returns 0, or the system's error number.
int entrain_spawn_tied(
    int *process, const char *path, char *const words[], char *const environment[], const char *folder, int input,
    int output, int errors);
