// Names of Video Toolbox that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no decoder: decode in the app.")
public final class VTDecompressionSession {}
@available(*, unavailable, message: "The emulator has no decoder: decode in the app.")
public struct VTDecompressionOutputCallbackRecord { public init() {} }
@available(*, unavailable, message: "The emulator has no decoder: decode in the app.")
public func VTDecompressionSessionCreate(
  allocator: CFAllocator?, formatDescription: CMFormatDescription, decoderSpecification: CFDictionary?,
  imageBufferAttributes: CFDictionary?, outputCallback: UnsafePointer<VTDecompressionOutputCallbackRecord>?,
  decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
) -> OSStatus { -1 }

@available(*, unavailable, message: "The emulator has no rotation session: rotate with CIImage.oriented.")
public final class VTPixelRotationSession {}
@available(*, unavailable, message: "The emulator has no rotation session: rotate with CIImage.oriented.")
public func VTPixelRotationSessionCreate(
  _ allocator: CFAllocator?, _ pixelRotationSessionOut: UnsafeMutablePointer<VTPixelRotationSession?>
) -> OSStatus { -1 }

@available(
  *, unavailable, message: "A session here returns no properties: set them again in the new session."
)
public func VTSessionCopySerializableProperties(
  _ session: VTSession, allocator: CFAllocator?, dictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> OSStatus { -1 }
