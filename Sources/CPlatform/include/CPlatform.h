// Calls of the system that Swift's own module of the C library leaves out.
//
// It includes no header of the system: Swift would take that header's types for this module's own.
#pragma once

/// Puts everything on disk that was written to the file system of an open file; 0 on success.
int entrain_sync_file_system(int descriptor);

/// The number of the kind of file system on which something lies, as statfs(2) lists them; or -1.
long entrain_file_system_type(const char *path);

/// Renames within an open folder unless something has the new name; 0 on success.
int entrain_rename_new(int folder, const char *from, const char *to);

/// Asks the kernel to wake the calling thread no later than `nanoseconds` after its deadlines; 0 on success.
int entrain_set_timer_slack(unsigned long nanoseconds);

/// Opens a new pseudo-terminal and gives the name of its other end; its descriptor, or -1.
int entrain_open_terminal(int flags, char *name, unsigned long size);

/// 1 if something keeps the system's clock right, 0 if nothing does, or -1.
int entrain_clock_is_kept(void);

/// A descriptor that can be read once a child process has ended, or -1.
int entrain_watch_process(int process);

/// Starts a program in a process group of its own that has these three descriptors and no others, nothing but this
/// environment, and that the kernel kills when the calling thread ends, however that comes about. The descriptors lie
/// above 2. Returns 0, or the system's error number.
int entrain_spawn_tied(
    int *process, const char *path, char *const words[], char *const environment[], const char *folder, int input,
    int output, int errors);
