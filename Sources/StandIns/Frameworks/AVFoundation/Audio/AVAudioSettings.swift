// Models the keys in AVFAudio's AVAudioSettings.h.

public let AVFormatIDKey: String = "AVFormatIDKey"
public let AVSampleRateKey: String = "AVSampleRateKey"
public let AVNumberOfChannelsKey: String = "AVNumberOfChannelsKey"
public let AVChannelLayoutKey: String = "AVChannelLayoutKey"
public let AVLinearPCMBitDepthKey: String = "AVLinearPCMBitDepthKey"
public let AVLinearPCMIsBigEndianKey: String = "AVLinearPCMIsBigEndianKey"
public let AVLinearPCMIsFloatKey: String = "AVLinearPCMIsFloatKey"
public let AVLinearPCMIsNonInterleaved: String = "AVLinearPCMIsNonInterleaved"
/// Ignored.
public let AVEncoderAudioQualityKey: String = "AVEncoderQualityKey"
public let AVEncoderBitRateKey: String = "AVEncoderBitRateKey"
public let AVEncoderBitRatePerChannelKey: String = "AVEncoderBitRatePerChannelKey"
/// Ignored.
public let AVEncoderBitRateStrategyKey: String = "AVEncoderBitRateStrategyKey"
/// Ignored.
public let AVSampleRateConverterAudioQualityKey: String = "AVSampleRateConverterQualityKey"

public enum AVAudioQuality: Int, Sendable {
  case min = 0
  case low = 0x20
  case medium = 0x40
  case high = 0x60
  case max = 0x7F
}
