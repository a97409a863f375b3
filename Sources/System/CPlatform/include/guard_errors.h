#pragma once

/// Why a guard has no ticket for a range.
enum {
  GUARD_TABLE_FULL = -1,
  /// `sigaction` failed; `errno` has the reason.
  GUARD_NO_HANDLER = -2,
};
