#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// What a hook returns to leave a socket to the system.
enum { CONNECT_DIRECTLY = -1 };

/// Connects `socket` in place of the system: returns 0, the number of an error, or `CONNECT_DIRECTLY`.
typedef int (*connect_hook)(int socket, const struct sockaddr *address, socklen_t length);

/// From now on every `connect` of this process, in any of its libraries, calls `hook` first.
void connect_set_hook(connect_hook hook);

/// Called on the thread of a call that failed with EPIPE, and that did not refuse the signal by MSG_NOSIGNAL.
typedef void (*broken_pipe_hook)(int descriptor);

/// From now on every `write`, `writev`, `send`, `sendto` and `sendmsg` of this process, in any of its libraries, that fails with
/// EPIPE calls `hook`.
void broken_pipe_set_hook(broken_pipe_hook hook);

/// The calling thread's number in the kernel: `gettid`.
pid_t thread_id(void);

/// The most frames that are read of a stack.
enum { STACK_LIMIT = 128 };

/// Gets the return addresses of another thread of this process, the innermost first; returns how many, or 0 if it does not
/// answer. SIGPROF interrupts the thread: ask `thread_wait` before. One thread at a time may call it.
int thread_stack(pid_t thread, void *stack[STACK_LIMIT]);

/// Gets the return addresses of a thread that waits in a call of the system, the innermost first, without a signal; returns how
/// many. The functions of libraries that keep no chain of frames are missing. One thread at a time may call it.
int waiting_stack(pid_t thread, void *stack[STACK_LIMIT]);

/// Returns whether a thread of this process waits in a call of the system, and how. `interrupted` is the name of the call if a signal
/// would end it with EINTR, else null. `has_limit` is whether the wait ends by itself: a sleep of less than six seconds, or a wait
/// with a limit for files, sockets, a lock or a semaphore. It is also true for a thread that runs, because its last wait has ended.
bool thread_wait(pid_t thread, bool *has_limit, const char **interrupted);

/// The name of the function at `address`, in Swift's form for one of Swift, else as the file and the offset in it; to be freed.
/// `is_of_program` is whether the program itself has it, and not a library. Null for no function.
char *function_name(const void *address, bool *is_of_program);

/// The name of the function at an offset in the file of a program or library, as ``function_name`` has it; to be freed. Null if the
/// file has no symbol there.
char *function_in_file(const char *path, uintptr_t offset);
