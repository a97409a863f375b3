// Models the stream descriptions of CoreAudioTypes/CoreAudioBaseTypes.h.

/// The encoding of an audio stream, a four-character code.
public typealias AudioFormatID = UInt32
/// Details of an encoding, as bits whose meaning depends on it.
public typealias AudioFormatFlags = UInt32

/// Samples that are not compressed ("lpcm").
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D

/// The samples are floating-point numbers.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The samples are big-endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// The samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// A sample that does not fill its bytes is in the upper bits.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Each channel has its own buffer, and the description is of one channel.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The byte order of this machine: no bit, as Swift runs on little-endian machines only.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// The linear PCM name of `kAudioFormatFlagIsFloat`.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// The linear PCM name of `kAudioFormatFlagIsBigEndian`.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// The linear PCM name of `kAudioFormatFlagIsSignedInteger`.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// The linear PCM name of `kAudioFormatFlagIsPacked`.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// The linear PCM name of `kAudioFormatFlagIsNonInterleaved`.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved

/// The encoding of an audio stream.
///
/// ```swift
/// // The app's audio as a phone delivers it.
/// AudioStreamBasicDescription(
///   mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
///   mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsPacked,
///   mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
///   mReserved: 0)
/// ```
public struct AudioStreamBasicDescription: Sendable, Equatable {
  /// The frames per second.
  public var mSampleRate: Double
  /// The encoding.
  public var mFormatID: AudioFormatID
  /// Details of the encoding.
  public var mFormatFlags: AudioFormatFlags
  /// The bytes of a packet, the smallest decodable unit; zero when they vary.
  public var mBytesPerPacket: UInt32
  /// The frames of a packet; one in linear PCM.
  public var mFramesPerPacket: UInt32
  /// The bytes of a frame, one sample per channel; of one channel when channels are not interleaved.
  public var mBytesPerFrame: UInt32
  /// The number of channels.
  public var mChannelsPerFrame: UInt32
  /// The bits of a sample.
  public var mBitsPerChannel: UInt32
  /// Padding; zero.
  public var mReserved: UInt32

  /// Creates a description from its nine fields.
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

  /// Creates a description whose fields are zero.
  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
      mBytesPerFrame: 0, mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
  }
}

extension AudioStreamBasicDescription {
  /// Whether one buffer holds the samples of all channels.
  package var isInterleaved: Bool { mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

  /// The bytes of a frame of all channels, at most `Int.max`.
  package var bytesOfAllChannels: Int {
    let channels = isInterleaved ? 1 : Int(mChannelsPerFrame)
    let (bytes, overflow) = Int(mBytesPerFrame).multipliedReportingOverflow(by: channels)
    return overflow ? Int.max : bytes
  }
}

/// The position and size of a packet of varying size. Linear PCM needs none.
public struct AudioStreamPacketDescription: Sendable, Equatable {
  /// The offset of the packet, in bytes.
  public var mStartOffset: Int64
  /// The frames of the packet, when they vary.
  public var mVariableFramesInPacket: UInt32
  /// The size of the packet, in bytes.
  public var mDataByteSize: UInt32

  /// Creates a description from its three fields.
  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}
