// What handlers use of AVFoundation's AVAssetWriter.h: the compiler's message says that it is missing.

/// A writer of media files.
@available(
  *, unavailable,
  message: "The emulator writes no media files: send pixels and audio to the app. See Docs/StandIns.md."
)
public final class AVAssetWriter {}
