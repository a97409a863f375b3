// What the emulator lacks: the compiler says what to use.

@available(*, unavailable, message: "The emulator has no filters: crop, scale, turn and compose a CIImage.")
public class CIFilter { public init?(name: String) {} }

@available(*, unavailable, message: "The emulator recognizes nothing: send the picture to the app.")
public class CIDetector {}
