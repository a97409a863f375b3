#define _GNU_SOURCE
#include "CPhone.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// A function of the Swift runtime, which has no header for it.
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

pid_t thread_id(void) { return (pid_t)syscall(SYS_gettid); }

enum { NOT_TAKEN = -1 };
static void *taken[STACK_LIMIT];
static _Atomic int taken_count = NOT_TAKEN;

static void take_stack(int signal) {
  (void)signal;
  int error = errno;
  int count = backtrace(taken, STACK_LIMIT);
  // SYNC: release here, acquire in `thread_stack`: a thread that reads the count also sees the addresses.
  atomic_store_explicit(&taken_count, count, memory_order_release);
  errno = error;
}

int thread_stack(pid_t thread, void *stack[STACK_LIMIT]) {
  // Call `backtrace` once now, because its first call loads a library, and a signal handler must not do that.
  if (backtrace(stack, 1) < 0) { return 0; }
  struct sigaction action = {.sa_handler = take_stack, .sa_flags = SA_RESTART};
  atomic_store_explicit(&taken_count, NOT_TAKEN, memory_order_relaxed);
  // Keep the action installed, because a late signal would otherwise end the process. SIGPROF is used because the threads of
  // Dispatch block other signals.
  if (sigaction(SIGPROF, &action, NULL) != 0 || syscall(SYS_tgkill, getpid(), thread, SIGPROF) != 0) { return 0; }
  for (int wait = 0; wait < 1000; wait += 1) {
    int count = atomic_load_explicit(&taken_count, memory_order_acquire);
    if (count != NOT_TAKEN) {
      memcpy(stack, taken, (size_t)count * sizeof *stack);
      return count;
    }
    usleep(1000);
  }
  return 0;
}

/// Whether the instruction before `address` is a call, as it is for every return address.
static bool follows_call(uintptr_t address) {
#if defined(__x86_64__)
  const unsigned char *code = (const unsigned char *)address;
  if (code[-5] == 0xe8) { return true; }
  for (int length = 2; length <= 7; length += 1) {
    if (code[-length] == 0xff && (code[1 - length] & 0x38) == 0x10) { return true; }
  }
  return false;
#else
  uint32_t code = *(const uint32_t *)(address - 4);
  return (code & 0xfc000000) == 0x94000000 || (code & 0xfffffc1f) == 0xd63f0000;
#endif
}

/// Whether `value` is a return address in a function of the program or, if `in_library` is set, of any library.
static bool is_return_address(uintptr_t value, bool in_library) {
  Dl_info info;
  struct link_map *object;
  if (value < 4096 || dladdr1((void *)value, &info, (void **)&object, RTLD_DL_LINKMAP) == 0) { return false; }
  uintptr_t offset = value - object->l_addr;
  const ElfW(Ehdr) *header = info.dli_fbase;
  const ElfW(Phdr) *parts = (const void *)((const char *)info.dli_fbase + header->e_phoff);
  for (int index = 0; index < header->e_phnum; index += 1) {
    if (parts[index].p_type == PT_LOAD && parts[index].p_flags & PF_X && offset - parts[index].p_vaddr < parts[index].p_memsz
        && offset - parts[index].p_vaddr >= 8) {
      return (in_library || object->l_name[0] == 0) && follows_call(value);
    }
  }
  return false;
}

enum { STACK_PAGES = 8, PAGE = 4096, WORDS = STACK_PAGES * PAGE / sizeof(uintptr_t) };

int waiting_stack(pid_t thread, void *stack[STACK_LIMIT]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
  FILE *file = fopen(path, "re");
  if (file == NULL) { return 0; }
  uintptr_t top = 0;
  int found = fscanf(file, "%*d %*x %*x %*x %*x %*x %*x %lx", &top);
  fclose(file);
  if (found != 1) { return 0; }
  // Read as from another process, because the thread may continue. Pages beyond its stack cannot be read.
  static uintptr_t words[WORDS];
  struct iovec own = {words, sizeof words}, pages[STACK_PAGES];
  for (uintptr_t page = 0, from = top; page < STACK_PAGES; page += 1) {
    pages[page] = (struct iovec){(void *)from, PAGE - from % PAGE};
    from += pages[page].iov_len;
  }
  ssize_t bytes = process_vm_readv(getpid(), &own, 1, pages, STACK_PAGES, 0);
  size_t size = bytes < 0 ? 0 : (size_t)bytes / sizeof *words;
  // Swift functions chain their stack frames; functions of the C library, which they call, do not. So before the first chained
  // frame, the first return address into the program is in its function that waits.
  int count = 0;
  for (size_t index = 0; index + 1 < size && count < STACK_LIMIT;) {
    size_t next = (words[index] - top) / sizeof *words;
    bool is_frame = next > index && next + 1 < size && words[index] % sizeof *words == 0
                    && is_return_address(words[index + 1], true) && is_return_address(words[next + 1], true);
    if (is_frame) {
      if (count != 1 || stack[0] != (void *)words[index + 1]) { stack[count++] = (void *)words[index + 1]; }
      index = next;
    } else {
      if (count == 0 && is_return_address(words[index], false)) { stack[count++] = (void *)words[index]; }
      index += 1;
    }
  }
  return count;
}

/// Returns a copy of the name of the function at `address`, from the symbol table of a program's or library's file; null if there
/// is none. The table includes functions that are not exported, unlike `dladdr`.
static char *file_symbol(const char *path, uintptr_t address) {
  char *name = NULL;
  // The path may come from the stderr of a program: it may be any file, also a truncated one.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (file < 0) { return NULL; }
  void *map = fstat(file, &status) == 0
                  ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  (void)close(file);
  if (map == MAP_FAILED) { return NULL; }
  const char *bytes = map;
  const ElfW(Ehdr) *header = map;
  const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);
  size_t size = (size_t)status.st_size;
  bool is_intact = size >= sizeof *header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
                  && header->e_shoff < size && header->e_shnum * sizeof *sections <= size - header->e_shoff;
  for (int index = 0; is_intact && index < header->e_shnum && name == NULL; index += 1) {
    if (sections[index].sh_type != SHT_SYMTAB) { continue; }
    const ElfW(Sym) *symbol = (const void *)(bytes + sections[index].sh_offset);
    const ElfW(Sym) *end = symbol + sections[index].sh_size / sizeof *symbol;
    const char *names = bytes + sections[sections[index].sh_link].sh_offset;
    for (; symbol < end && name == NULL; symbol += 1) {
      if ((symbol->st_info & 0xf) == STT_FUNC && address - symbol->st_value < symbol->st_size) {
        name = strdup(names + symbol->st_name);
      }
    }
  }
  (void)munmap(map, size);
  return name;
}

/// Whether a run loop of Foundation called `ppoll` with these values: it waits for one file, an epoll instance.
static bool is_run_loop(const unsigned long *values) {
  struct pollfd entry;
  struct iovec own = {&entry, sizeof entry}, other = {(void *)values[0], sizeof entry};
  // Read as from another process, because the thread may have continued and freed its memory.
  if (values[1] != 1 || process_vm_readv(getpid(), &own, 1, &other, 1, 0) != sizeof entry) { return false; }
  char path[64], file[64] = "";
  snprintf(path, sizeof path, "/proc/self/fd/%d", entry.fd);
  return readlink(path, file, sizeof file - 1) > 0 && strcmp(file, "anon_inode:[eventpoll]") == 0;
}

/// Whether `clock_nanosleep` with these values sleeps for at least 6 s. Shorter sleeps may be steps of a polling loop, and a call is
/// judged after 5 s, so a sleep of 5 s could be seen by chance.
static bool sleeps_long(const unsigned long *values) {
  struct timespec time;
  struct iovec own = {&time, sizeof time}, other = {(void *)values[2], sizeof time};
  bool is_relative = (values[1] & TIMER_ABSTIME) == 0;
  return is_relative && process_vm_readv(getpid(), &own, 1, &other, 1, 0) == sizeof time && time.tv_sec >= 6;
}

/// Returns the name of a call that a signal ends with EINTR even if the signal's action has SA_RESTART; null for any other call.
static const char *interrupted_call(long number, const unsigned long *values, bool *has_limit) {
  // Without a limit, a value in milliseconds is negative, and the pointer to a struct is null.
  switch (number) {
#ifdef SYS_poll
  case SYS_poll: *has_limit = (int)values[2] >= 0; return "poll";
  case SYS_select: *has_limit = values[4] != 0; return "select";
  case SYS_epoll_wait: *has_limit = (int)values[3] >= 0; return "epoll_wait";
#endif
  case SYS_ppoll:
    *has_limit = values[2] != 0;
    if (!is_run_loop(values)) { return "poll"; }
    // A timer of another thread ends `run(until:)`, so these values do not show whether there is a limit. Assume one.
    *has_limit = true;
    return "RunLoop.run";
  case SYS_pselect6: *has_limit = values[4] != 0; return "select";
  case SYS_epoll_pwait: *has_limit = (int)values[3] >= 0; return "epoll_wait";
  case SYS_clock_nanosleep: *has_limit = !sleeps_long(values); return "sleep";
  default: return NULL;
  }
}

bool thread_wait(pid_t thread, bool *has_limit, const char **interrupted) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
  *has_limit = false;
  *interrupted = NULL;
  FILE *file = fopen(path, "re");
  if (file == NULL) return false;
  // The file contains the number of the system call, and its first arguments.
  long number = -1;
  unsigned long values[5] = {0};
  int found = fscanf(file, "%ld %lx %lx %lx %lx %lx", &number, values, values + 1, values + 2, values + 3, values + 4);
  fclose(file);
  // For a running thread, the file contains only the word "running": its last wait has ended by itself.
  *has_limit = found < 6;
  if (found < 6) return false;
  // The functions of pthread and Dispatch continue to wait after a signal.
  if (number == SYS_futex) *has_limit = values[3] != 0;
  *interrupted = interrupted_call(number, values, has_limit);
  if (*interrupted != NULL || *has_limit) return true;
  // A call on a socket may have the socket's timeout.
  bool sends = number == SYS_sendto || number == SYS_sendmsg || number == SYS_write || number == SYS_connect;
  bool receives = number == SYS_recvfrom || number == SYS_recvmsg || number == SYS_read || number == SYS_accept4;
  struct timeval limit = {0};
  socklen_t size = sizeof limit;
  if ((!sends && !receives)
      || getsockopt((int)values[0], SOL_SOCKET, sends ? SO_SNDTIMEO : SO_RCVTIMEO, &limit, &size) != 0) { return true; }
  *has_limit = limit.tv_sec != 0 || limit.tv_usec != 0;
  if (*has_limit) { *interrupted = sends ? "send" : "recv"; }
  return true;
}

char *function_in_file(const char *path, uintptr_t offset) {
  char *symbol = file_symbol(path, offset);
  char *name = symbol == NULL ? NULL : swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
  if (name == NULL) { return symbol; }
  free(symbol);
  return name;
}

char *function_name(const void *address, bool *is_of_program) {
  Dl_info info;
  struct link_map *object;
  *is_of_program = false;
  if (dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) == 0) { return NULL; }
  *is_of_program = object->l_name[0] == 0;
  uintptr_t offset = (uintptr_t)address - object->l_addr;
  bool is_exported = !*is_of_program && info.dli_sname != NULL;
  char *symbol = is_exported ? NULL : file_symbol(*is_of_program ? "/proc/self/exe" : info.dli_fname, offset);
  if (symbol == NULL && info.dli_sname != NULL) { symbol = strdup(info.dli_sname); }
  if (symbol == NULL) {
    const char *file = strrchr(info.dli_fname, '/');
    return asprintf(&symbol, "%s+0x%zx", file == NULL ? info.dli_fname : file + 1, (size_t)offset) < 0 ? NULL : symbol;
  }
  char *name = swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
  if (name == NULL) { return symbol; }
  free(symbol);
  return name;
}
