/// What a stream of sound is encoded as, a four-character code.
public typealias AudioFormatID = UInt32
/// How the samples of an encoding look: bits that mean something else for each.
public typealias AudioFormatFlags = UInt32

/// Samples that are not compressed ("lpcm").
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D

/// The samples are floating-point numbers.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The most significant byte of a sample comes first.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// The samples are integers with a sign.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// The bits of a sample that does not fill its bytes are the upper ones.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Each channel is a run of samples of its own, and the description tells of one channel's.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The byte order of this machine: no flag, as Swift runs on little-endian ones only.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// The same of linear PCM, under the name for that format alone.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// The same of linear PCM, under the name for that format alone.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// The same of linear PCM, under the name for that format alone.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// The same of linear PCM, under the name for that format alone.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// The same of linear PCM, under the name for that format alone.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved

/// How a stream of sound is encoded.
///
/// ```swift
/// // What an app plays, as a phone delivers it.
/// AudioStreamBasicDescription(
///   mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
///   mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsPacked,
///   mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
///   mReserved: 0)
/// ```
public struct AudioStreamBasicDescription: Sendable, Equatable {
  /// Frames a second.
  public var mSampleRate: Double
  /// The encoding.
  public var mFormatID: AudioFormatID
  /// How its samples look.
  public var mFormatFlags: AudioFormatFlags
  /// The bytes of a packet, the smallest part that can be decoded; 0 when they vary.
  public var mBytesPerPacket: UInt32
  /// The frames of a packet; 1 of linear PCM.
  public var mFramesPerPacket: UInt32
  /// The bytes of a frame, which is a sample of each channel; of one channel when they are not interleaved.
  public var mBytesPerFrame: UInt32
  /// The number of channels.
  public var mChannelsPerFrame: UInt32
  /// The bits of a sample.
  public var mBitsPerChannel: UInt32
  /// 0.
  public var mReserved: UInt32

  /// A description from its nine fields.
  public init(
    mSampleRate: Double, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
    mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
    mReserved: UInt32
  ) {
    self.mSampleRate = mSampleRate
    self.mFormatID = mFormatID
    self.mFormatFlags = mFormatFlags
    self.mBytesPerPacket = mBytesPerPacket
    self.mFramesPerPacket = mFramesPerPacket
    self.mBytesPerFrame = mBytesPerFrame
    self.mChannelsPerFrame = mChannelsPerFrame
    self.mBitsPerChannel = mBitsPerChannel
    self.mReserved = mReserved
  }

  /// A description of nothing: all fields are 0.
  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
      mBytesPerFrame: 0, mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
  }
}
