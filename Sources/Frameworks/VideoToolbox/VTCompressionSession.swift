// What handlers use of VideoToolbox/VTCompressionSession.h: the compiler's message says that it is missing.

/// An encoder of video.
@available(
  *, unavailable,
  message:
    "The emulator does not encode video: send pixels or JPEG and encode in the app. See Docs/StandIns.md."
)
public final class VTCompressionSession {}
