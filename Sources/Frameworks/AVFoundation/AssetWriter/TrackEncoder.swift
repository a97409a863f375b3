import Foundation
import Platform
import Synchronization
import VideoToolbox

/// A process of ffmpeg that encodes one track, as the compression session's does. The track is read in Matroska, and written
/// to a file without a name, so that nothing is left when this process ends.
final class TrackEncoder: Sendable {
  private let socket: FileDescriptor
  private let messages: EncoderMessages
  private let exit = Exit()
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

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Starts a process for a track.
  /// - Parameter arguments: what reads the standard input and encodes it.
  init(_ program: URL, _ arguments: [String], _ track: RawMatroska.Track) throws {
    let container: Container
    if case .audio = track { container = .nut } else { container = .mpegts }
    self.container = container
    let (output, messages, exit) = (
      try FileHandle(withoutName: FileManager.default.temporaryDirectory), try EncoderMessages(), exit
    )
    (self.output, self.messages) = (output, messages)
    socket = try System.connectedSocket { far in
      let process = Process()
      process.executableURL = program
      process.arguments = arguments + container.arguments
      process.standardInput = FileHandle(fileDescriptor: far.rawValue)
      process.standardOutput = output
      process.standardError = messages.file
      exit.observe(process)
      try Launching.run(process)
    }
    try System.send(RawMatroska.header(of: track), to: socket)
  }

  /// Sends a picture of the track. Throws when the process has ended.
  func send(_ image: CVPixelBuffer, _ input: EncoderInput, ticks: UInt64) throws {
    try input.send(image, ticks: ticks, to: socket)
  }

  /// Sends audio of the track. Throws when the process has ended.
  func send(_ audio: [UInt8], ticks: UInt64) throws {
    try System.send(RawMatroska.frameHeader(ticks: ticks, byteCount: audio.count) + audio, to: socket)
  }

  /// Lets the process encode what it has, and waits for its end.
  func end() throws {
    System.shutDown(socket, readingToo: false)
    guard exit.wait() != 0 else { return }
    throw Failure(
      description: messages.text.map { "ffmpeg says '\($0)'" } ?? "ffmpeg failed without a message")
  }

  /// Ends the process.
  func cancel() { System.shutDown(socket, readingToo: true) }
}

/// The end of a process.
final class Exit: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Takes note of the end of a process, which is not started yet.
  func observe(_ process: Process) {
    // The handler keeps this object, and is released after its call.
    process.terminationHandler = { [self] process in
      status.withLock { $0 = process.terminationReason == .exit ? process.terminationStatus : -1 }
      semaphore.signal()
    }
  }

  private let status = Mutex<Int32>(0)

  /// Waits for the end, once. Returns the exit code, or -1 after a signal.
  func wait() -> Int32 {
    semaphore.wait()
    return status.withLock(\.self)
  }
}
