#pragma once

#include <stddef.h>
#include <sys/socket.h>
#include <sys/utsname.h>

/// What a hook returns to leave a socket to the system.
enum { CONNECT_DIRECTLY = -1 };

/// Connects `socket` in place of the system: returns 0, the number of an error, or `CONNECT_DIRECTLY`.
typedef int (*connect_hook)(int socket, const struct sockaddr *address, socklen_t length);

/// From now on every `connect` of this process, in any of its libraries, calls `hook` first.
void connect_set_hook(connect_hook hook);

/// Writes the version of the system over `release`, which has room for `size` bytes and ends with a zero.
typedef void (*uname_hook)(char *release, size_t size);

/// From now on every `uname` of this process, in any of its libraries, calls `hook` with the kernel's answer.
void uname_set_hook(uname_hook hook);
