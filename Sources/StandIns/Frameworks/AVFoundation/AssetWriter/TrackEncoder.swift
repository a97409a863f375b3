import Foundation
import VideoToolbox

/// A process of ffmpeg that encodes one track, as the compression session's does. The track is read in Matroska, and written
/// to a file without a name, so that nothing is left when this process ends.
final class TrackEncoder: Sendable {
  private let process: EncoderProcess
  /// The encoded track.
  let output: FileHandle
  /// The format of the encoded track.
  let container: Container

  /// What keeps the times of a track in a file that is written once.
  enum Container: String {
    /// For video: has the time of decoding of each picture.
    case mpegts
    /// For audio: has times to the sample.
    case nut

    fileprivate var arguments: [String] {
      // Names of the one byte that selects UTF-8, and without a text: ffmpeg that is linked statically crashes when it
      // reads others, as it cannot load the conversions of the system.
      let names = ["-metadata", "service_name=\u{15}", "-metadata", "service_provider=\u{15}"]
      return ["-copyts", "-muxdelay", "0"] + (self == .mpegts ? names : []) + ["-f", rawValue, "pipe:1"]
    }
  }

  /// Starts a process for a track.
  /// - Parameter arguments: what reads the standard input and encodes it.
  init(_ program: EncoderProgram, _ arguments: [String], _ track: RawMatroska.Track) throws {
    let container: Container
    if case .audio = track { container = .nut } else { container = .mpegts }
    self.container = container
    output = try FileHandle(withoutName: ())
    process = try EncoderProcess(program, arguments + container.arguments, output: output)
    try process.send(RawMatroska.header(of: track))
  }

  /// Sends a picture of the track. Throws when the process has ended.
  func send(_ image: CVPixelBuffer, _ input: EncoderInput, ticks: UInt64) throws {
    try input.send(image, ticks: ticks, to: process)
  }

  /// Sends audio of the track. Throws when the process has ended.
  func send(_ audio: [UInt8], ticks: UInt64) throws {
    try process.send(RawMatroska.frameHeader(ticks: ticks, byteCount: audio.count) + audio)
  }

  /// Lets the process encode what it has, and waits for its end.
  func end() throws { try process.end() }

  /// Ends the process.
  func cancel() { process.kill() }
}
