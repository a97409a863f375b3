import CoreMedia

/// Reads and writes samples of a linear PCM format as numbers from -1 to 1. Supports 16-bit and 32-bit integers and
/// 32-bit floating-point numbers, in both byte orders, interleaved or not.
struct PCMSamples {
  let channels: Int
  let rate: Double
  /// The bytes of a frame in one buffer.
  let bytesPerFrame: Int
  let isInterleaved: Bool
  private let bytesPerSample: Int
  private let isFloat: Bool
  private let isBigEndian: Bool

  /// The supported rates, in frames per second. The converter can represent the product of any two.
  private static let rates = 1.0...1_000_000

  /// Returns `nil` for unsupported formats.
  init?(_ format: AudioStreamBasicDescription) {
    let flags = format.mFormatFlags
    isFloat = flags & kAudioFormatFlagIsFloat != 0
    isBigEndian = flags & kAudioFormatFlagIsBigEndian != 0
    isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
    channels = Int(format.mChannelsPerFrame)
    rate = format.mSampleRate
    bytesPerFrame = Int(format.mBytesPerFrame)
    bytesPerSample = Int(format.mBitsPerChannel) / 8
    let isKnown = isFloat ? [4] : flags & kAudioFormatFlagIsSignedInteger != 0 ? [2, 4] : []
    guard format.mFormatID == kAudioFormatLinearPCM, isKnown.contains(bytesPerSample), channels >= 1,
      Self.rates.contains(rate), bytesPerFrame == bytesPerSample * (isInterleaved ? channels : 1)
    else { return nil }
  }

  /// The number of buffers in a list.
  var buffers: Int { isInterleaved ? 1 : channels }

  /// Returns the number of complete frames in a list; `nil` if the list has another number of buffers.
  func frames(of list: UnsafeMutableAudioBufferListPointer) -> Int? {
    // UNSAFE: reads only the fields of the list.
    guard unsafe list.count == buffers else { return nil }
    return unsafe list.map { unsafe $0.mData == nil ? 0 : Int($0.mDataByteSize) / bytesPerFrame }.min()
  }

  /// Returns a sample. The frame and the channel must be within the list.
  func read(_ list: UnsafeMutableAudioBufferListPointer, frame: Int, channel: Int) -> Float {
    // UNSAFE: the caller has compared the frame with `frames(of:)`.
    guard let place = unsafe place(list, frame, channel) else { return 0 }
    if bytesPerSample == 2 {
      let bits = unsafe place.loadUnaligned(as: UInt16.self)
      return Float(Int16(bitPattern: isBigEndian ? bits.byteSwapped : bits)) / 32_768
    }
    let bits = unsafe place.loadUnaligned(as: UInt32.self)
    let native = isBigEndian ? bits.byteSwapped : bits
    return isFloat
      ? Float(bitPattern: native) : Float(Double(Int32(bitPattern: native)) / 2_147_483_648)
  }

  /// Sets a sample. Integers are clamped to their range. The frame and the channel must be within the list.
  func write(_ value: Float, _ list: UnsafeMutableAudioBufferListPointer, frame: Int, channel: Int) {
    // UNSAFE: the caller has compared the frame with `frames(of:)`.
    guard let place = unsafe place(list, frame, channel) else { return }
    let number = value.isNaN ? 0 : Double(min(max(value, -1), 1))
    if bytesPerSample == 2 {
      let bits = UInt16(bitPattern: Int16(min((number * 32_768).rounded(), 32_767)))
      unsafe place.storeBytes(of: isBigEndian ? bits.byteSwapped : bits, as: UInt16.self)
      return
    }
    let bits =
      isFloat
      ? value.bitPattern
      : UInt32(bitPattern: Int32(min((number * 2_147_483_648).rounded(), 2_147_483_647)))
    unsafe place.storeBytes(of: isBigEndian ? bits.byteSwapped : bits, as: UInt32.self)
  }

  private func place(
    _ list: UnsafeMutableAudioBufferListPointer, _ frame: Int, _ channel: Int
  ) -> UnsafeMutableRawPointer? {
    // UNSAFE: the callers' frame and channel are within the list.
    let offset = frame * bytesPerFrame + (isInterleaved ? channel * bytesPerSample : 0)
    return unsafe list[isInterleaved ? 0 : channel].mData.map { unsafe $0 + offset }
  }
}
