// Models the channel layout in CoreAudioTypes/CoreAudioBaseTypes.h. The stand-ins pass a layout on and do not interpret it.

public typealias AudioChannelLayoutTag = UInt32

public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2

public struct AudioChannelLayout: Sendable {
  public var mChannelLayoutTag: AudioChannelLayoutTag = 0
  public var mChannelBitmap: UInt32 = 0
  public var mNumberChannelDescriptions: UInt32 = 0
  public var mChannelDescriptions = AudioChannelDescription()

  public init() {}
}

public struct AudioChannelDescription: Sendable {
  public var mChannelLabel: UInt32 = 0
  public var mChannelFlags: UInt32 = 0
  public var mCoordinates: (Float, Float, Float) = (0, 0, 0)

  public init() {}
}
