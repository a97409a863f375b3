import CoreMedia
import Foundation

// Models the parts of AVFAudio's AVAudioFormat.h and AVAudioTypes.h for linear PCM.

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioChannelCount = UInt32

public enum AVAudioCommonFormat: UInt, Sendable {
  case otherFormat = 0
  case pcmFormatFloat32 = 1
  case pcmFormatFloat64 = 2
  case pcmFormatInt16 = 3
  case pcmFormatInt32 = 4

  fileprivate var bits: UInt32? {
    switch self {
    case .otherFormat: nil
    case .pcmFormatInt16: 16
    case .pcmFormatFloat32, .pcmFormatInt32: 32
    case .pcmFormatFloat64: 64
    }
  }
}

/// Supports linear PCM only: the initialisers return `nil` for other formats here.
@safe
public final class AVAudioFormat: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: the description does not change.
  let stream: AudioStreamBasicDescription
  public let streamDescription: UnsafePointer<AudioStreamBasicDescription>

  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    // UNSAFE: the caller's parameter, valid for the call.
    let description = unsafe asbd.pointee
    guard description.isLinearPCM, description.mChannelsPerFrame <= 2 else { return nil }
    self.init(description)
  }

  public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
    guard let stream = formatDescription.audioStreamBasicDescription, stream.isLinearPCM else {
      preconditionFailure("AVAudioFormat: the format is not linear PCM")
    }
    self.init(stream)
  }

  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard let bits = format.bits, (1...2).contains(channels), sampleRate > 0 else { return nil }
    let isFloat = format == .pcmFormatFloat32 || format == .pcmFormatFloat64
    let bytes = bits / 8 * (interleaved ? channels : 1)
    self.init(
      AudioStreamBasicDescription(
        mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
          | kAudioFormatFlagIsPacked | (interleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
        mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels,
        mBitsPerChannel: bits, mReserved: 0))
  }

  private init(_ description: AudioStreamBasicDescription) {
    stream = description
    // UNSAFE: memory of one description, which the format frees.
    let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
    unsafe memory.initialize(to: description)
    unsafe streamDescription = unsafe UnsafePointer(memory)
    super.init()
  }

  deinit { unsafe streamDescription.deallocate() }

  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  public convenience init?(settings: [String: Any]) {
    guard TrackSettings.integer(settings[AVFormatIDKey]) == Int(kAudioFormatLinearPCM),
      let rate = Double(number: settings[AVSampleRateKey]),
      let channels = TrackSettings.integer(settings[AVNumberOfChannelsKey]).flatMap(UInt32.init(exactly:))
    else { return nil }
    let isFloat = Double(number: settings[AVLinearPCMIsFloatKey]) == 1
    let format: AVAudioCommonFormat? =
      switch (TrackSettings.integer(settings[AVLinearPCMBitDepthKey]), isFloat) {
      case (16, false), (nil, false): .pcmFormatInt16
      case (32, false): .pcmFormatInt32
      case (32, true), (nil, true): .pcmFormatFloat32
      case (64, true): .pcmFormatFloat64
      default: nil
      }
    guard let format else { return nil }
    self.init(
      commonFormat: format, sampleRate: rate, channels: channels,
      interleaved: Double(number: settings[AVLinearPCMIsNonInterleaved]) != 1)
  }

  public var settings: [String: Any] {
    [
      AVFormatIDKey: stream.mFormatID, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: channelCount,
      AVLinearPCMBitDepthKey: stream.mBitsPerChannel,
      AVLinearPCMIsFloatKey: stream.mFormatFlags & kAudioFormatFlagIsFloat != 0,
      AVLinearPCMIsBigEndianKey: stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0,
      AVLinearPCMIsNonInterleaved: !isInterleaved,
    ]
  }

  public var formatDescription: CMAudioFormatDescription {
    var description: CMAudioFormatDescription?
    // UNSAFE: memory of the format, and a local variable.
    unsafe CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: streamDescription, layoutSize: 0, layout: nil, magicCookieSize: 0,
      magicCookie: nil, extensions: nil, formatDescriptionOut: &description)
    guard let description else { preconditionFailure("AVAudioFormat: the sample rate is infinite") }
    return description
  }

  public override func isEqual(_ object: Any?) -> Bool { (object as? AVAudioFormat)?.stream == stream }
  public override var hash: Int { stream.mSampleRate.hashValue ^ Int(stream.mChannelsPerFrame) }

  public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }
  public var sampleRate: Double { stream.mSampleRate }
  public var channelCount: AVAudioChannelCount { stream.mChannelsPerFrame }
  public var isInterleaved: Bool { stream.isInterleaved }
  public var commonFormat: AVAudioCommonFormat {
    let flags = stream.mFormatFlags
    guard flags & kAudioFormatFlagIsBigEndian == 0 else { return .otherFormat }
    switch (flags & kAudioFormatFlagIsFloat != 0, stream.mBitsPerChannel) {
    case (true, 32): return .pcmFormatFloat32
    case (true, 64): return .pcmFormatFloat64
    case (false, 16): return .pcmFormatInt16
    case (false, 32): return .pcmFormatInt32
    default: return .otherFormat
    }
  }
}

extension AudioStreamBasicDescription {
  /// Whether the stream is linear PCM and its frames have enough bytes for their samples.
  fileprivate var isLinearPCM: Bool {
    let samples = isInterleaved ? Int(mChannelsPerFrame) : 1
    return mFormatID == kAudioFormatLinearPCM && mBitsPerChannel >= 8 && mChannelsPerFrame > 0
      && mSampleRate > 0 && Int(mBytesPerFrame) >= samples * Int(mBitsPerChannel / 8)
  }
}
