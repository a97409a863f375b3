import CoreMedia
import EmulatedDevice
import ReplayKitCore

/// A linear PCM format of audio packets. Creates packets of this format.
package struct AudioFormat: Equatable, Sendable {
  /// Frames per second.
  package var sampleRate: Int
  package var channelCount: Int
  /// 8, 16, 24 or 32 (floating-point samples: 32).
  package var bitsPerChannel: Int
  /// Core Audio's flags. The emulator creates signed integers and floating-point numbers, packed without padding.
  package var flags: AudioFormatFlags

  /// Returns the format that a version of iOS delivers: 16 bits, big-endian for app audio. Docs/Devices.md has the sources.
  static func of(_ type: RPSampleBufferType, on ios: IOSVersion) -> AudioFormat {
    type == .audioApp
      ? AudioFormat(
        sampleRate: 44_100, channelCount: ios.major < 13 ? 1 : 2, bitsPerChannel: 16,
        flags: signed | kAudioFormatFlagIsBigEndian)
      : AudioFormat(
        sampleRate: ios.major <= 13 ? 44_100 : 48_000, channelCount: 1, bitsPerChannel: 16, flags: signed)
  }

  static func framesPerPacket(_ type: RPSampleBufferType, on ios: IOSVersion) -> Int {
    switch (type, ios.major) {
    case (.audioApp, ...11): 22_062
    case (.audioApp, 12): 22_596
    default: 1_024
    }
  }

  /// Returns the format that ScreenCaptureKit delivers: floating-point numbers, with a separate buffer for each channel.
  package static func ofStream(sampleRate: Int, channelCount: Int) -> AudioFormat {
    AudioFormat(
      sampleRate: sampleRate, channelCount: channelCount, bitsPerChannel: 32,
      flags: float | kAudioFormatFlagIsNonInterleaved)
  }

  private static let signed = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
  private static let float = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked

  /// Whether the emulator can create packets of this format.
  var isSupported: Bool {
    let order = kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsNonInterleaved
    let isKnown =
      switch flags & ~order {
      case Self.signed: [8, 16, 24, 32].contains(bitsPerChannel)
      case Self.float: bitsPerChannel == 32
      default: false
      }
    return isKnown && (8_000...192_000).contains(sampleRate) && (1...8).contains(channelCount)
  }

  private func has(_ flag: AudioFormatFlags) -> Bool { flags & flag != 0 }

  /// The bytes of a frame; of one channel if each channel has its own buffer.
  package var bytesPerFrame: Int {
    bitsPerChannel / 8 * (has(kAudioFormatFlagIsNonInterleaved) ? 1 : channelCount)
  }

  /// Returns a packet of `frames` frames.
  ///
  /// - Parameters:
  ///   - samples: interleaved channels, `frames * channelCount` samples; `nil` for silence.
  ///   - description: the description of the stream, which its packets share.
  func packet(
    of samples: [Int16]?, frames: Int, at time: CMTime, description: CMAudioFormatDescription?
  ) -> CMSampleBuffer? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(bitsPerChannel / 8 * frames * channelCount)
    let isInterleaved = !has(kAudioFormatFlagIsNonInterleaved)
    let isFloat = has(kAudioFormatFlagIsFloat)
    var shifts = (0..<bitsPerChannel / 8).map { UInt32(32 - bitsPerChannel + 8 * $0) }
    if has(kAudioFormatFlagIsBigEndian) { shifts.reverse() }
    for index in 0..<frames * channelCount {
      let place = isInterleaved ? index : index % frames * channelCount + index / frames
      let sample = samples?[place] ?? 0
      // The sample becomes the upper half of 32 bits, or a fraction of 1.
      let word = isFloat ? (Float(sample) / 32_768).bitPattern : UInt32(bitPattern: Int32(sample) << 16)
      for shift in shifts { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    guard let description, let block = CMBlockBuffer(copying: bytes.span) else { return nil }
    var sample: CMSampleBuffer?
    // UNSAFE: the out parameter is a local variable. The call fails only for a block of another length.
    _ = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: kCFAllocatorDefault, dataBuffer: block, formatDescription: description,
      sampleCount: frames, presentationTimeStamp: time, packetDescriptions: nil, sampleBufferOut: &sample)
    return sample
  }

  /// Creates the description of a stream of this format.
  var description: CMAudioFormatDescription? {
    var stream = AudioStreamBasicDescription()
    stream.mSampleRate = Double(sampleRate)
    stream.mFormatID = kAudioFormatLinearPCM
    stream.mFormatFlags = flags
    stream.mFramesPerPacket = 1
    stream.mChannelsPerFrame = UInt32(channelCount)
    stream.mBitsPerChannel = UInt32(bitsPerChannel)
    stream.mBytesPerFrame = UInt32(bytesPerFrame)
    stream.mBytesPerPacket = stream.mBytesPerFrame
    var description: CMAudioFormatDescription?
    // UNSAFE: the in and out parameters are local variables.
    _ = unsafe CMAudioFormatDescriptionCreate(
      allocator: kCFAllocatorDefault, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0,
      magicCookie: nil, extensions: nil, formatDescriptionOut: &description)
    return description
  }
}
