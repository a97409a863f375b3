#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// The result of a hook that leaves the call to the system.
enum { CONNECT_DIRECTLY = -1 };

/// Connects `socket` in place of the system. Returns 0, an error number, or `CONNECT_DIRECTLY`.
typedef int (*connect_hook)(int socket, const struct sockaddr *address, socklen_t length);

/// Sets a hook that every later `connect` of this process calls first, also calls by libraries.
void connect_set_hook(connect_hook hook);

/// Called after a call failed with EPIPE, on the thread of that call. Calls with MSG_NOSIGNAL are excluded.
typedef void (*broken_pipe_hook)(int descriptor);

/// Sets a hook that every later `write`, `writev`, `send`, `sendto` and `sendmsg` of this process calls if it fails with EPIPE,
/// also in libraries.
void broken_pipe_set_hook(broken_pipe_hook hook);

/// Returns the kernel's ID of the calling thread. Wraps `gettid(2)`.
pid_t thread_id(void);

/// The maximum number of frames that are read from a stack.
enum { STACK_LIMIT = 128 };

/// Gets the return addresses of another thread of this process, the innermost first. Returns their number, or 0 if the thread does
/// not respond. SIGPROF interrupts the thread, so check it with `thread_wait` first. Only one thread may call this at a time.
int thread_stack(pid_t thread, void *stack[STACK_LIMIT]);

/// Gets the return addresses of a thread that waits in a system call, the innermost first, without a signal. Returns their number.
/// Functions of libraries without frame pointers are missing. Only one thread may call this at a time.
int waiting_stack(pid_t thread, void *stack[STACK_LIMIT]);

/// Whether a thread of this process waits in a system call. `interrupted` is set to the name of the call if a signal would end the
/// call with EINTR, otherwise to null. `has_limit` is set to whether the wait ends by itself: a sleep of less than six seconds, or
/// a wait for files, sockets, a lock or a semaphore with a timeout. It is also true for a running thread, because its last wait has
/// ended.
bool thread_wait(pid_t thread, bool *has_limit, const char **interrupted);

/// Returns the name of the function at `address` (demangled if it is a Swift function), or the file and the offset in it if there
/// is no name. The caller frees the result. Null if the address is in no file. `is_of_program` is set to whether the function is
/// in the program, not in a library.
char *function_name(const void *address, bool *is_of_program);

/// Returns the name of the function at an offset in the file of a program or library, in the form of ``function_name``. The caller
/// frees the result. Null if the file has no symbol there.
char *function_in_file(const char *path, uintptr_t offset);
