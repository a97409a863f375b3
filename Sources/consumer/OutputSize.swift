import CommandLineSupport

/// The size of the frames that enter the call.
enum OutputSize: Equatable {
  /// The size of the screen, unscaled.
  case native
  /// A size of choice.
  case fixed(Size)
}
