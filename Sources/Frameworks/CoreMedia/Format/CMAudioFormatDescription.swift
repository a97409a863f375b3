/// The media type of sound ("soun").
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E

/// A description of sound.
public typealias CMAudioFormatDescription = CMFormatDescription

/// A parameter of a format description is not valid.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// Creates the description of sound in linear PCM.
///
/// What a channel layout or a magic cookie says is not looked at, but comes back as it was.
/// - Returns: 0, or `kCMFormatDescriptionError_InvalidParameter` for a rate that is not a positive number and for a
///   size without its bytes.
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
    sound: AudioFormatStorage(
      stream, layout: UnsafeRawBufferPointer(start: layout, count: layoutSize),
      cookie: UnsafeRawBufferPointer(start: magicCookie, count: magicCookieSize)))
  return 0
}

/// The encoding a description gives; `nil` when it is not of sound. Valid as long as the description.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  // UNSAFE: memory that the description owns.
  unsafe (desc.sound?.stream).map { unsafe UnsafePointer($0) }
}

/// The channel layout a description was made with. Valid as long as the description.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  // UNSAFE: memory that the description owns, and the caller's out parameter.
  unsafe desc.sound?.layout.hand(sizeOut)?.assumingMemoryBound(to: AudioChannelLayout.self)
}

/// The magic cookie a description was made with. Valid as long as the description.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  // UNSAFE: memory that the description owns, and the caller's out parameter.
  unsafe desc.sound?.cookie.hand(sizeOut)
}

extension CMFormatDescription {
  /// The encoding of sound; `nil` when the description is not of sound.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    // UNSAFE: memory that the description owns.
    unsafe CMAudioFormatDescriptionGetStreamBasicDescription(self)?.pointee
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The first byte, and through `sizeOut` how many there are; `nil` when there are none.
  fileprivate func hand(_ sizeOut: UnsafeMutablePointer<Int>?) -> UnsafeRawPointer? {
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe sizeOut?.pointee = count
    return unsafe isEmpty ? nil : UnsafeRawPointer(baseAddress)
  }
}
