import CoreMedia
import Foundation

/// The formats of files that ``AVAudioFile`` writes.
enum AudioFileKind {
  case caf, wav, m4a

  /// The format that Core Audio chooses for an extension. Throws for one that is not written here.
  init(extension name: String) throws {
    switch name.lowercased() {
    case "caf": self = .caf
    case "wav", "wave": self = .wav
    case "m4a": self = .m4a
    default: throw AVAudioFile.error(.unsupportedFileType)
    }
  }

  /// The stream of settings in a file of this format; `nil` for settings that the file cannot have.
  func stream(of settings: [String: Any]) -> AudioStreamBasicDescription? {
    let wanted = self == .m4a ? kAudioFormatMPEG4AAC : kAudioFormatLinearPCM
    guard TrackSettings.integer(settings[AVFormatIDKey]) == Int(wanted),
      let rate = Double(number: settings[AVSampleRateKey]), rate > 0, rate <= 384_000,
      let channels = TrackSettings.integer(settings[AVNumberOfChannelsKey]), (1...2).contains(channels)
    else { return nil }
    var stream = AudioStreamBasicDescription()
    (stream.mSampleRate, stream.mFormatID, stream.mChannelsPerFrame) = (rate, wanted, UInt32(channels))
    if self == .m4a {
      stream.mFramesPerPacket = 1024
      return stream
    }
    func isSet(_ key: String) -> Bool { Double(number: settings[key]) == 1 }
    let isFloat = isSet(AVLinearPCMIsFloatKey)
    let bits = TrackSettings.integer(settings[AVLinearPCMBitDepthKey]) ?? (isFloat ? 32 : 16)
    guard isFloat ? bits == 32 : [16, 32].contains(bits) else { return nil }
    let isBigEndian = self == .caf && isSet(AVLinearPCMIsBigEndianKey)
    stream.mFormatFlags =
      (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
      | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
    (stream.mBitsPerChannel, stream.mFramesPerPacket) = (UInt32(bits), 1)
    stream.mBytesPerFrame = UInt32(bits / 8 * channels)
    stream.mBytesPerPacket = stream.mBytesPerFrame
    return stream
  }
}

/// The bytes in front of the frames of a file of linear PCM.
struct AudioFileHeader {
  let kind: AudioFileKind
  let stream: AudioStreamBasicDescription

  private var isFloat: Bool { stream.mFormatFlags & kAudioFormatFlagIsFloat != 0 }
  private var isBigEndian: Bool { stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 }

  /// The header of a file with frames of that many bytes. Its length does not depend on them.
  func bytes(byteCount: Int) -> Data {
    var data = Data()
    if kind == .wav { writeWAVE(byteCount, &data) } else { writeCAF(byteCount, &data) }
    return data
  }

  /// RIFF/WAVE: format 1 is integers, 3 is floating-point numbers.
  private func writeWAVE(_ byteCount: Int, _ data: inout Data) {
    func number<Value: FixedWidthInteger>(_ value: Value) {
      // UNSAFE: the bytes of a number.
      unsafe withUnsafeBytes(of: value.littleEndian) { unsafe data.append(contentsOf: $0) }
    }
    data += Data("RIFF".utf8)
    number(UInt32(clamping: byteCount + 36))
    data += Data("WAVEfmt ".utf8)
    number(UInt32(16))
    number(UInt16(isFloat ? 3 : 1))
    number(UInt16(stream.mChannelsPerFrame))
    number(UInt32(stream.mSampleRate))
    number(UInt32(clamping: Int(stream.mSampleRate) * Int(stream.mBytesPerFrame)))
    number(UInt16(stream.mBytesPerFrame))
    number(UInt16(stream.mBitsPerChannel))
    data += Data("data".utf8)
    number(UInt32(clamping: byteCount))
  }

  /// Core Audio Format: a chunk for the stream, then one for the frames, which begins with the number of the last edit.
  private func writeCAF(_ byteCount: Int, _ data: inout Data) {
    let flags: UInt32 = (isFloat ? 1 : 0) | (isBigEndian ? 0 : 2)
    data =
      Data("caff".utf8) + Self.big(UInt16(1)) + Self.big(UInt16(0)) + Data("desc".utf8) + Self.big(Int64(32))
    data +=
      Self.big(stream.mSampleRate.bitPattern) + Data("lpcm".utf8) + Self.big(flags)
      + Self.big(stream.mBytesPerPacket)
    data +=
      Self.big(UInt32(1)) + Self.big(stream.mChannelsPerFrame) + Self.big(stream.mBitsPerChannel)
      + Data("data".utf8)
    // A file that is not closed has frames to its end.
    data += Self.big(byteCount == 0 ? Int64(-1) : Int64(byteCount + 4)) + Self.big(UInt32(0))
  }

  private static func big<Value: FixedWidthInteger>(_ value: Value) -> Data {
    // UNSAFE: the bytes of a number.
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe Data($0) }
  }
}
