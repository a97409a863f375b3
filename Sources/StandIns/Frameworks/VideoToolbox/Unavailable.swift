// Names of Video Toolbox that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no decoder: decode in the app.")
public final class VTDecompressionSession {}

@available(*, unavailable, message: "The emulator has no rotation session: rotate with CIImage.oriented.")
public final class VTPixelRotationSession {}
