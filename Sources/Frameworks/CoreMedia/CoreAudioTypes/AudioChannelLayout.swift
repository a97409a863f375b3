/// A usual order of channels, or how else they are told.
public typealias AudioChannelLayoutTag = UInt32

/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left, right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2

/// What the channels of a stream are.
public struct AudioChannelLayout: Sendable {
  /// A usual order.
  public var mChannelLayoutTag: AudioChannelLayoutTag
  /// The channels as bits, when the tag says so.
  public var mChannelBitmap: UInt32
  /// The number of descriptions, when the tag says so.
  public var mNumberChannelDescriptions: UInt32
  /// The first description; further ones follow in memory.
  public var mChannelDescriptions: AudioChannelDescription

  /// A layout of nothing.
  public init() {
    mChannelLayoutTag = 0
    mChannelBitmap = 0
    mNumberChannelDescriptions = 0
    mChannelDescriptions = AudioChannelDescription()
  }
}
