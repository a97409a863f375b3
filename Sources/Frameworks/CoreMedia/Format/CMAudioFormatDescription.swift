// Models the audio part of CoreMedia/CMFormatDescription.h.

/// The media type of audio ("soun").
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E

/// The format of an audio sample.
public typealias CMAudioFormatDescription = CMFormatDescription

/// A parameter of a format description is not valid.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// Creates the description of an audio format.
///
/// The description returns its channel layout and magic cookie unchanged; the stand-in does not interpret them.
/// - Returns: zero, or `kCMFormatDescriptionError_InvalidParameter` for a sample rate that is not positive and for a size
///   without its bytes.
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
  unsafe formatDescriptionOut.pointee = CMFormatDescription(
    audio: AudioFormatStorage(
      stream, layout: UnsafeRawBufferPointer(start: layout, count: layoutSize),
      cookie: UnsafeRawBufferPointer(start: magicCookie, count: magicCookieSize)))
  return 0
}

/// Returns the stream of an audio description, valid as long as the description, or `nil` for video.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  // UNSAFE: memory that the description owns.
  unsafe (desc.audio?.stream).map { unsafe UnsafePointer($0) }
}

/// Returns the channel layout of a description, valid as long as the description, or `nil` without one.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  // UNSAFE: memory that the description owns, and the caller's out parameter.
  unsafe desc.audio?.layout.address(sizeOut)?.assumingMemoryBound(to: AudioChannelLayout.self)
}

/// Returns the magic cookie of a description, valid as long as the description, or `nil` without one.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  // UNSAFE: memory that the description owns, and the caller's out parameter.
  unsafe desc.audio?.cookie.address(sizeOut)
}

extension CMFormatDescription {
  /// The stream of an audio description, or `nil` for video.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    // UNSAFE: memory that the description owns.
    unsafe CMAudioFormatDescriptionGetStreamBasicDescription(self)?.pointee
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Stores the size through `sizeOut`; `nil` when it is zero.
  fileprivate func address(_ sizeOut: UnsafeMutablePointer<Int>?) -> UnsafeRawPointer? {
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe sizeOut?.pointee = count
    return unsafe isEmpty ? nil : UnsafeRawPointer(baseAddress)
  }
}

/// The memory behind an audio description, whose addresses stay the same.
@safe
final class AudioFormatStorage: @unchecked Sendable {
  // Unchecked: only `init` writes the memory.

  let stream: UnsafeMutablePointer<AudioStreamBasicDescription>
  let layout: UnsafeMutableRawBufferPointer
  let cookie: UnsafeMutableRawBufferPointer

  init(
    _ description: AudioStreamBasicDescription, layout: UnsafeRawBufferPointer, cookie: UnsafeRawBufferPointer
  ) {
    // UNSAFE: `deinit` alone frees the memory.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: description)
    unsafe self.layout = .allocate(byteCount: layout.count, alignment: 16)
    unsafe self.layout.copyMemory(from: layout)
    unsafe self.cookie = .allocate(byteCount: cookie.count, alignment: 16)
    unsafe self.cookie.copyMemory(from: cookie)
  }

  deinit {
    // UNSAFE: allocated in `init`; the last reference is gone.
    unsafe stream.deallocate()
    unsafe layout.deallocate()
    unsafe cookie.deallocate()
  }
}
