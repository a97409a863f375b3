// Names of Core Image that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no filters: crop, scale, rotate and compose a CIImage.")
public class CIFilter { public init?(name: String) {} }

@available(*, unavailable, message: "The emulator recognizes nothing: send the picture to the app.")
public class CIDetector {}
