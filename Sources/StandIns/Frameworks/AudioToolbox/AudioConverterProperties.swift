import CoreMedia

// Models the properties in AudioToolbox/AudioConverter.h. A converter of linear PCM has no property of an encoder.

public let kAudioConverterErr_PropertyNotSupported: OSStatus = 0x7072_6F70

public let kAudioConverterPropertyMaximumOutputPacketSize: UInt32 = 0x786F_7073
/// Without effect.
public let kAudioConverterSampleRateConverterQuality: UInt32 = 0x7372_6371
public let kAudioConverterEncodeBitRate: UInt32 = 0x6272_6174
public let kAudioConverterQuality_Max: UInt32 = 0x7F
public let kAudioConverterQuality_Medium: UInt32 = 0x40

@discardableResult
public func AudioConverterSetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: UInt32,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  inPropertyID == kAudioConverterSampleRateConverterQuality ? 0 : kAudioConverterErr_PropertyNotSupported
}

public func AudioConverterGetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: UInt32,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus { kAudioConverterErr_PropertyNotSupported }

public let kAudioEncoderComponentType: OSType = 0x6165_6E63
public let kAppleSoftwareAudioCodecManufacturer: OSType = 0x6170_706C

public struct AudioClassDescription: Sendable {
  public var mType: OSType
  public var mSubType: OSType
  public var mManufacturer: OSType

  public init(mType: OSType, mSubType: OSType, mManufacturer: OSType) {
    (self.mType, self.mSubType, self.mManufacturer) = (mType, mSubType, mManufacturer)
  }
}

/// Fails as `AudioConverterNew` does, because the emulator has no encoders of audio to choose from.
public func AudioConverterNewSpecific(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>, _ inNumberClassDescriptions: UInt32,
  _ inClassDescriptions: UnsafePointer<AudioClassDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  unsafe AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}
