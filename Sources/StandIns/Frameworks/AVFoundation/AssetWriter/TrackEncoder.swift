import Foundation
import VideoToolbox

/// A process of ffmpeg that encodes one track, like the process of a compression session. It reads the track as
/// Matroska, and writes to a file without a name, so no file remains when this process ends.
final class TrackEncoder: Sendable {
  private let process: EncoderProcess
  let output: FileHandle
  let container: Container

  /// A format that keeps the times of a track, and can be written in one pass.
  enum Container: String {
    /// For video: has the decoding time of each frame.
    case mpegts
    /// For audio: has times with the precision of a sample.
    case nut

    fileprivate var arguments: [String] {
      // The names are one byte, which selects UTF-8 and has no text. A statically linked ffmpeg crashes on other names,
      // because it cannot load the system's character conversions.
      let names = ["-metadata", "service_name=\u{15}", "-metadata", "service_provider=\u{15}"]
      return ["-copyts", "-muxdelay", "0"] + (self == .mpegts ? names : []) + ["-f", rawValue, "pipe:1"]
    }
  }

  /// Starts a process for a track.
  /// - Parameter arguments: the arguments that read stdin and encode it.
  init(_ program: EncoderProgram, _ arguments: [String], _ track: RawMatroska.Track) throws {
    let container: Container
    if case .audio = track { container = .nut } else { container = .mpegts }
    self.container = container
    output = try FileHandle(withoutName: ())
    process = try EncoderProcess(program, arguments + container.arguments, output: output)
    try process.send(RawMatroska.header(of: track))
  }

  /// Sends a frame of the track. Throws if the process has ended.
  func send(_ image: CVPixelBuffer, _ input: EncoderInput, ticks: UInt64) throws {
    try input.send(image, ticks: ticks, to: process)
  }

  /// Sends audio of the track. Throws if the process has ended.
  func send(_ audio: [UInt8], ticks: UInt64) throws {
    try process.send(RawMatroska.frameHeader(ticks: ticks, byteCount: audio.count) + audio)
  }

  /// Lets the process encode the remaining samples, and waits until it exits.
  func end() throws { try process.end() }

  /// Kills the process.
  func cancel() { process.kill() }
}
