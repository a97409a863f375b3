#include "CPlatform.h"

// A handler instead of SIG_IGN: SIG_IGN would look like a choice of the code that runs here, and launched programs would inherit
// it.
static void ignore(int signal) { (void)signal; }

void ignore_broken_pipes(void) {
  struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};
  (void)sigaction(SIGPIPE, &action, NULL);
}

int are_broken_pipes_ignored(void) {
  struct sigaction action;
  return sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == ignore;
}
