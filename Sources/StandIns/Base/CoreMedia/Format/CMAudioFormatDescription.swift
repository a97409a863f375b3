// Models the audio part of CoreMedia/CMFormatDescription.h.

public let kCMMediaType_Audio: CMMediaType = 0x736F_756E

public typealias CMAudioFormatDescription = CMFormatDescription

public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// The stand-in does not interpret the channel layout and the magic cookie: the description returns them unchanged.
@discardableResult
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
  extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  let stream = unsafe asbd.pointee
  guard stream.mSampleRate > 0, stream.mSampleRate.isFinite, layoutSize >= 0, magicCookieSize >= 0,
    unsafe layoutSize == 0 || layout != nil, unsafe magicCookieSize == 0 || magicCookie != nil
  else { return kCMFormatDescriptionError_InvalidParameter }
  guard let memory = unsafe CMBlockBuffer(asbd, count: MemoryLayout<AudioStreamBasicDescription>.size) else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  unsafe formatDescriptionOut.pointee = CMFormatDescription(
    audio: AudioFormat(
      encoding: stream.mFormatID, stream: memory, layout: CMBlockBuffer(layout, count: layoutSize),
      cookie: CMBlockBuffer(magicCookie, count: magicCookieSize)))
  return 0
}

public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  // UNSAFE: memory that the description owns.
  unsafe (desc.audio?.stream.base ?? nil).map {
    unsafe UnsafePointer($0.assumingMemoryBound(to: AudioStreamBasicDescription.self))
  }
}

public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  // UNSAFE: memory that the description owns, and the caller's out parameter.
  unsafe sizeOut?.pointee = desc.audio?.layout?.dataLength ?? 0
  return unsafe (desc.audio?.layout?.base ?? nil).map {
    unsafe UnsafePointer($0.assumingMemoryBound(to: AudioChannelLayout.self))
  }
}

public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  // UNSAFE: memory that the description owns, and the caller's out parameter.
  unsafe sizeOut?.pointee = desc.audio?.cookie?.dataLength ?? 0
  return unsafe (desc.audio?.cookie?.base ?? nil).map { UnsafeRawPointer($0) }
}

extension CMFormatDescription {
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    // UNSAFE: memory that the description owns.
    unsafe CMAudioFormatDescriptionGetStreamBasicDescription(self)?.pointee
  }
}

extension CMBlockBuffer {
  /// Creates a copy of `count` bytes of the caller; `nil` if `count` is 0.
  fileprivate convenience init?(_ start: UnsafeRawPointer?, count: Int) {
    // UNSAFE: the caller's parameters, valid for the call.
    unsafe self.init(
      copying: UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count).span)
  }
}

/// The memory of an audio description. Its addresses never change.
struct AudioFormat: Sendable {
  let encoding: AudioFormatID
  fileprivate let stream: CMBlockBuffer
  fileprivate let layout: CMBlockBuffer?
  fileprivate let cookie: CMBlockBuffer?
}
