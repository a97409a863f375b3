import CommandLineSupport
import CoreVideo
import Foundation
import PixelAccess
import Platform
import ReplayKitCore

/// A line of a trace as JSON. `Docs/Trace.md` documents the keys; unknown keys are ignored.
struct TraceRecord: Codable {
  enum Kind: String, Codable, CaseIterable {
    case broadcastStarted, broadcastPaused, broadcastResumed, broadcastAnnotated, broadcastFinished
    case finishBroadcastWithError, finishBroadcastGracefully
    case video, audioApp, audioMic
  }

  var kind: Kind
  var arrival: Int64
  var application: String?
  var domain: String?
  var code: Int?
  var description: String?
  var presentation: Int64?
  var format: String?
  var width: Int?
  var height: Int?
  var bytesPerRow: [Int]?
  var rows: [Int]?
  var orientation: UInt32?
  var sampleRate: Int?
  var channels: Int?
  var bitsPerChannel: Int?
  var bytesPerFrame: Int?
  var formatFlags: UInt32?
  var frames: Int?

  init(_ line: TraceLine) {
    arrival = line.arrival
    switch line.call {
    case .broadcastStarted: kind = .broadcastStarted
    case .broadcastPaused: kind = .broadcastPaused
    case .broadcastResumed: kind = .broadcastResumed
    case .broadcastFinished: kind = .broadcastFinished
    case .finishBroadcastGracefully: kind = .finishBroadcastGracefully
    case .broadcastAnnotated(let application): (kind, self.application) = (.broadcastAnnotated, application)
    case .finishBroadcastWithError(let error):
      kind = .finishBroadcastWithError
      (domain, code, description) = (error.domain, error.code, error.description)
    case .video(let shape, let presentation):
      (kind, self.presentation, format) = (.video, presentation, shape.format.fourCharacters)
      (width, height, orientation) = (shape.size.width, shape.size.height, shape.orientation?.rawValue)
      bytesPerRow = [shape.lumaBytesPerRow, shape.chromaBytesPerRow]
      rows = [shape.size.height, (shape.size.height + 1) / 2]
    case .audio(let type, let shape, let presentation):
      (kind, self.presentation, format) = (type == .audioApp ? .audioApp : .audioMic, presentation, Self.pcm)
      (sampleRate, channels) = (shape.format.sampleRate, shape.format.channelCount)
      (bitsPerChannel, bytesPerFrame) = (shape.format.bitsPerChannel, shape.format.bytesPerFrame)
      (formatFlags, frames) = (shape.format.flags, shape.frames)
    }
  }

  private static let pcm = "lpcm"
  /// Times outside of this range could overflow 64 bits in an addition.
  private static let times: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
  private static let sides = 16...8192
  private static let longestPadding = 4096

  func line() throws(Trace.Problem) -> TraceLine {
    guard Self.times.contains(arrival) else { throw .init("'arrival' is not a time.") }
    return TraceLine(arrival: arrival, call: try call())
  }

  private func call() throws(Trace.Problem) -> TraceLine.Call {
    switch kind {
    case .broadcastStarted: return .broadcastStarted
    case .broadcastPaused: return .broadcastPaused
    case .broadcastResumed: return .broadcastResumed
    case .broadcastFinished: return .broadcastFinished
    case .finishBroadcastGracefully: return .finishBroadcastGracefully
    case .broadcastAnnotated: return .broadcastAnnotated(try need(application, "application"))
    case .finishBroadcastWithError:
      return .finishBroadcastWithError(
        TraceLine.HandlerError(
          domain: try need(domain, "domain"), code: try need(code, "code"),
          description: try need(description, "description")))
    case .video: return .video(try videoShape(), presentation: try time())
    case .audioApp: return .audio(.audioApp, try audioShape(), presentation: try time())
    case .audioMic: return .audio(.audioMic, try audioShape(), presentation: try time())
    }
  }

  private func need<Value>(_ value: Value?, _ key: String) throws(Trace.Problem) -> Value {
    guard let value else { throw .init("The key '\(key)' is missing.") }
    return value
  }

  private func need(
    _ value: Int?, _ key: String, in range: ClosedRange<Int>
  ) throws(Trace.Problem) -> Int {
    let value = try need(value, key)
    guard range.contains(value) else {
      throw .init(
        range.count == 1
          ? "'\(key)' expects \(range.lowerBound), not \(value)."
          : "'\(key)' expects \(range.lowerBound) to \(range.upperBound), not \(value).")
    }
    return value
  }

  private func time() throws(Trace.Problem) -> Int64 {
    let time = try need(presentation, "presentation")
    guard Self.times.contains(time) else { throw .init("'presentation' is not a time.") }
    return time
  }

  private func videoShape() throws(Trace.Problem) -> TraceLine.VideoShape {
    let name = try need(format, "format")
    guard let format = ScreenFormat(rawValue: name) else {
      throw .init("'format' expects 420f or 420v, the formats that the emulator draws, not \(name.quoted).")
    }
    let size = PixelSize(
      width: try need(width, "width", in: Self.sides), height: try need(height, "height", in: Self.sides))
    let (bytes, rows) = (try need(bytesPerRow, "bytesPerRow"), try need(rows, "rows"))
    guard bytes.count == 2, rows == [size.height, (size.height + 1) / 2] else {
      throw .init(
        "'bytesPerRow' and 'rows' expect two planes, luma of \(size.height) rows and chroma of "
          + "\((size.height + 1) / 2).")
    }
    for (bytes, least) in zip(bytes, [size.width, (size.width + 1) / 2 * 2]) {
      _ = try need(bytes, "bytesPerRow", in: least...least + Self.longestPadding)
    }
    let orientation = try orientation.map { number throws(Trace.Problem) in
      guard let orientation = CGImagePropertyOrientation(rawValue: number) else {
        throw .init("'orientation' expects 1 to 8, not \(number).")
      }
      return orientation
    }
    return TraceLine.VideoShape(
      size: size, format: format.pixelFormat, lumaBytesPerRow: bytes[0], chromaBytesPerRow: bytes[1],
      orientation: orientation)
  }

  private func audioShape() throws(Trace.Problem) -> TraceLine.AudioShape {
    let name = try need(format, "format")
    guard name == Self.pcm else {
      throw .init("'format' expects lpcm, the encoding that the emulator makes, not \(name.quoted).")
    }
    let shape = AudioFormat(
      sampleRate: try need(sampleRate, "sampleRate", in: 8_000...192_000),
      channelCount: try need(channels, "channels", in: 1...8),
      bitsPerChannel: try need(bitsPerChannel, "bitsPerChannel", in: 8...32),
      flags: try need(formatFlags, "formatFlags"))
    guard shape.isSupported else {
      throw .init(
        "The emulator makes packed samples only: signed integers of 8, 16, 24 or 32 bits, or floating-point "
          + "numbers of 32; not \(shape.bitsPerChannel) bits with the flags \(shape.flags).")
    }
    _ = try need(bytesPerFrame, "bytesPerFrame", in: shape.bytesPerFrame...shape.bytesPerFrame)
    return TraceLine.AudioShape(format: shape, frames: try need(frames, "frames", in: 1...192_000))
  }
}

extension TraceLine: CustomStringConvertible {
  /// The line as JSON with sorted keys.
  package var description: String {
    // A value of integers and strings can always be encoded.
    do { return String(decoding: try Self.encoder.encode(TraceRecord(self)), as: UTF8.self) } catch {
      return "\(error)"
    }
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
