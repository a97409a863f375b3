// Names of AudioToolbox that the emulator lacks. The error of the compiler says what to use instead.

import CoreMedia

@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public let kAudioConverterEncodeBitRate: UInt32 = 0
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public func AudioConverterSetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: UInt32, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> Int32 { 0 }
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public func AudioConverterGetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: UInt32,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> Int32 { 0 }
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public let kAudioConverterPropertyMaximumOutputPacketSize: UInt32 = 0
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public let kAudioEncoderComponentType: UInt32 = 0
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public let kAppleSoftwareAudioCodecManufacturer: UInt32 = 0
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public struct AudioClassDescription {
  public init(mType: UInt32, mSubType: UInt32, mManufacturer: UInt32) {}
}
@available(*, unavailable, message: "The emulator converts linear PCM only: AVAssetWriter encodes AAC.")
public func AudioConverterNewSpecific(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>, _ inNumberClassDescriptions: UInt32,
  _ inClassDescriptions: UnsafePointer<AudioClassDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> Int32 { 0 }
