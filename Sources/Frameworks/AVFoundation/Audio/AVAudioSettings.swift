// Models the keys of AVFAudio's AVAudioSettings.h.

/// The format of the audio: `kAudioFormatMPEG4AAC` or another one.
public let AVFormatIDKey: String = "AVFormatIDKey"
/// The frames per second.
public let AVSampleRateKey: String = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey: String = "AVNumberOfChannelsKey"
/// The meaning of the channels: the bytes of an `AudioChannelLayout`.
public let AVChannelLayoutKey: String = "AVChannelLayoutKey"
/// The bits of a sample of linear PCM.
public let AVLinearPCMBitDepthKey: String = "AVLinearPCMBitDepthKey"
/// Whether linear PCM has the most significant byte first.
public let AVLinearPCMIsBigEndianKey: String = "AVLinearPCMIsBigEndianKey"
/// Whether linear PCM has floating-point numbers.
public let AVLinearPCMIsFloatKey: String = "AVLinearPCMIsFloatKey"
/// Whether each channel of linear PCM has a buffer of its own.
public let AVLinearPCMIsNonInterleaved: String = "AVLinearPCMIsNonInterleaved"
/// The quality of the encoder: an ``AVAudioQuality``. Ignored.
public let AVEncoderAudioQualityKey: String = "AVEncoderQualityKey"
/// The bits per second of the encoder.
public let AVEncoderBitRateKey: String = "AVEncoderBitRateKey"
/// The bits per second and channel of the encoder.
public let AVEncoderBitRatePerChannelKey: String = "AVEncoderBitRatePerChannelKey"
/// How the encoder holds its bit rate. Ignored.
public let AVEncoderBitRateStrategyKey: String = "AVEncoderBitRateStrategyKey"
/// The quality of the conversion of rates. Ignored.
public let AVSampleRateConverterAudioQualityKey: String = "AVSampleRateConverterQualityKey"

/// A quality of an encoder or of a conversion.
public enum AVAudioQuality: Int, Sendable {
  /// The least.
  case min = 0
  /// Low.
  case low = 0x20
  /// Medium.
  case medium = 0x40
  /// High.
  case high = 0x60
  /// The most.
  case max = 0x7F
}
