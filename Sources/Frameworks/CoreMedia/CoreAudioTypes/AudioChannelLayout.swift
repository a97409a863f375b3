// Models the channel layout of CoreAudioTypes/CoreAudioBaseTypes.h. The stand-ins carry a layout and do not interpret it.

/// The standard order of channels that a layout uses, or the way it describes another one.
public typealias AudioChannelLayoutTag = UInt32

/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left, right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2

/// The meaning of the channels of an audio stream.
public struct AudioChannelLayout: Sendable {
  /// The standard order of channels.
  public var mChannelLayoutTag: AudioChannelLayoutTag
  /// The channels as bits, when the tag asks for them.
  public var mChannelBitmap: UInt32
  /// The number of descriptions, when the tag asks for them.
  public var mNumberChannelDescriptions: UInt32
  /// The first description; the others follow in memory.
  public var mChannelDescriptions: AudioChannelDescription

  /// Creates a layout whose fields are zero.
  public init() {
    mChannelLayoutTag = 0
    mChannelBitmap = 0
    mNumberChannelDescriptions = 0
    mChannelDescriptions = AudioChannelDescription()
  }
}

/// The meaning of one channel.
public struct AudioChannelDescription: Sendable {
  /// The name of the channel, as a number.
  public var mChannelLabel: UInt32
  /// The kind of coordinates, as bits.
  public var mChannelFlags: UInt32
  /// The position of the loudspeaker.
  public var mCoordinates: (Float, Float, Float)

  /// Creates a description whose fields are zero.
  public init() {
    mChannelLabel = 0
    mChannelFlags = 0
    mCoordinates = (0, 0, 0)
  }
}
