// QuartzCore's CADisplayLink.h: the compiler's message says that it is missing.

/// A timer of the display's refreshes.
@available(
  *, unavailable,
  message: "A display link calls a selector, which Swift on Linux does not have: use a DispatchSourceTimer."
)
public final class CADisplayLink {}
