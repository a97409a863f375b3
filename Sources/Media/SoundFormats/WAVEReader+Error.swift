import Foundation

extension WAVEReader {
  /// Why a file cannot be read as sound.
  public struct Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What is wrong with it.
    public let problem: Problem

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      if case .system(let errno) = problem { return errno }
      return problem == .notPlain ? EINVAL : nil
    }

    /// One sentence without a full stop: the file, what is wrong, and the way out.
    public var description: String { "\(path) \(problem)" }
  }

  /// What can be wrong with a file of sound.
  public enum Problem: Swift.Error, Equatable, CustomStringConvertible {
    /// A system call failed.
    case system(errno: Int32)
    /// It is a folder, a FIFO or a device.
    case notPlain
    /// It does not begin as a WAVE file does; its first four bytes, unless it is empty.
    case notWAVE(beginning: String?)
    /// It ends within a chunk.
    case endsWithin(String)
    /// The chunk that describes the samples has too few bytes.
    case formatTooShort(byteCount: Int)
    /// The sound comes before its description, or has none.
    case noFormat
    /// There is no sound, or not within the first thousand chunks.
    case noSound
    /// It was cut short after it was opened.
    case cutShort
    /// The samples are of a kind that is not read.
    case encoding(kind: Int, bits: Int)
    /// The number of channels is not read.
    case channels(Int)
    /// The rate is out of range.
    case sampleRate(Int)
    /// Its numbers contradict each other.
    case bytesPerFrame(stated: Int, needed: Int)

    /// What follows the file's name in a sentence.
    public var description: String {
      let make = "make it anew with: ffmpeg -i INPUT -c:a pcm_s16le out.wav"
      return switch self {
      case .system(ENOENT): "does not exist; name a WAV file"
      case .system(EACCES): "may not be read by this user; change its permissions or name another WAV file"
      case .system(let errno): "cannot be read (\(Self.text(errno))); name another WAV file"
      case .notPlain: "is not a plain file; save the sound to one"
      case .notWAVE(nil): "is empty; \(make)"
      case .notWAVE("RIFX"), .notWAVE("RF64"):
        "is a WAV file of a kind that is not read (big-endian, or above 4 GB); \(make)"
      case .notWAVE: "is not a WAV file; \(make)"
      case .endsWithin(let chunk): "ends within its chunk '\(chunk)'; copy it again, or \(make)"
      case .formatTooShort(let count):
        "describes its samples in \(count) bytes, and a WAV file needs 16, or 40 of the longer kind; \(make)"
      case .noFormat: "has no description of its samples before the sound; \(make)"
      case .noSound: "holds no sound; \(make)"
      case .cutShort: "was cut short while it was played; copy it again"
      case .encoding(let kind, let bits):
        "has samples of kind \(kind) with \(bits) bits; PCM of 8, 16, 24, 32 bits and floats of 32 are read; "
          + make
      case .channels(let count):
        "has \(count) channels, and 1 or 2 are played; convert it with: ffmpeg -i INPUT -ac 2 out.wav"
      case .sampleRate(let rate):
        "states \(rate) samples a second, and 1000 to 384000 are played; convert it with: "
          + "ffmpeg -i INPUT -ar 48000 out.wav"
      case .bytesPerFrame(let stated, let needed):
        "states \(stated) bytes a frame where its channels and bits make \(needed); \(make)"
      }
    }

    private static func text(_ errno: Int32) -> String {
      NSError(domain: NSPOSIXErrorDomain, code: Int(errno)).localizedDescription
    }
  }
}

extension Swift.Error {
  /// The system's error number beneath one of Foundation's.
  var systemCode: Int32 {
    let error = self as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(clamping: error.code) }
    guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
      return switch CocoaError.Code(rawValue: error.code) {
      case .fileReadNoPermission, .fileWriteNoPermission: EACCES
      case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
      default: EIO
      }
    }
    return cause.systemCode
  }
}
