// Names of AudioToolbox that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public let kAudioConverterEncodeBitRate: UInt32 = 0
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public func AudioConverterSetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: UInt32, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> Int32 { 0 }
