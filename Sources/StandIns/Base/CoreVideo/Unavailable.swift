// Names of CoreVideo that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no IOSurface: lock the buffer and read its planes.")
public func CVPixelBufferGetIOSurface(_ pixelBuffer: CVPixelBuffer?) -> Unmanaged<AnyObject>? { nil }
