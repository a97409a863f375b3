import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SoundFormats
import Synchronization

/// A WAV stream that is written on one queue while another counts what waits for it.
final class WAVEStream: Sendable {
  /// The file, for messages.
  let name: String
  private let state = Mutex(State())
  /// Used on the writing queue alone; writing may take long, so it has a lock of its own.
  private let destination: Mutex<Destination>

  private struct Destination {
    /// `nil` before a FIFO is opened, which waits for its reader.
    var file: FileHandle?
    var writer: WAVEWriter?
    var timeline = SoundTimeline()
  }

  private struct State {
    var secondsWaiting = 0.0
    var failure: ProgramFailure?
    var framesDropped: UInt64 = 0
  }

  /// The most sound that waits to be written, in seconds.
  private static let capacity = 10.0
  /// The most silence that is written in one call, in samples.
  private static let blockLength = 1 << 16

  /// Opens the file at `path`, or standard output for `-`. A FIFO is opened by ``open()``, since that waits for its
  /// reader.
  init(path: String) throws(ProgramFailure) {
    guard path != "-" else {
      name = "standard output"
      destination = Mutex(Destination(file: .standardOutput))
      return
    }
    name = path
    destination = Mutex(Destination(file: OutputFile.isFIFO(path) ? nil : try Self.open(path)))
  }

  var failure: ProgramFailure? { state.withLock { $0.failure } }
  var framesDropped: UInt64 { state.withLock { $0.framesDropped } }

  /// Opens what is not open yet, on the writing queue.
  func open() {
    do throws(ProgramFailure) {
      try destination.withLock { destination throws(ProgramFailure) in
        if destination.file == nil { destination.file = try Self.open(name) }
      }
    } catch {
      fail(error)
    }
  }

  /// Takes a place for the sound in the waiting line, or counts it as dropped when the line is full.
  func takesMore(_ audio: BroadcastAudio) -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      guard state.secondsWaiting < Self.capacity else {
        state.framesDropped += UInt64(audio.frameCount)
        return false
      }
      state.secondsWaiting += audio.seconds
      return true
    }
  }

  /// Writes sound that took its place before; the first decides rate and channels.
  /// - Parameter arrival: when it came, in monotonic nanoseconds.
  func write(_ audio: BroadcastAudio, arrival: UInt64) {
    defer { state.withLock { $0.secondsWaiting -= audio.seconds } }
    guard failure == nil else { return }
    do {
      try destination.withLock { destination in
        guard let file = destination.file else { return }
        let rate = Int(audio.sampleRate.rounded())
        let writer =
          try destination.writer ?? WAVEWriter(file, sampleRate: rate, channelCount: audio.channelCount)
        destination.writer = writer
        guard writer.format == WAVEFormat(sampleRate: rate, channelCount: audio.channelCount) else {
          throw ProgramFailure(
            .inputOutput,
            "\(name) began with \(writer.format.text) and cannot go on with "
              + "\(WAVEFormat(sampleRate: rate, channelCount: audio.channelCount).text); write a file for each broadcast."
          )
        }
        var silence =
          audio.channelCount
          * destination.timeline.silence(
            before: audio.frameCount, time: audio.time.nanoseconds, index: audio.index,
            sampleRate: audio.sampleRate,
            session: audio.session, arrival: arrival)
        while silence > 0 {
          try writer.write([Int16](repeating: 0, count: min(silence, Self.blockLength)))
          silence -= min(silence, Self.blockLength)
        }
        try writer.write(audio.samples)
      }
    } catch {
      fail(failure(of: error))
    }
  }

  /// Sets the lengths of the file right and closes it.
  func close() {
    let (file, writer) = destination.withLock { ($0.file.take(), $0.writer.take()) }
    do {
      try writer?.finish()
      if let file, file !== FileHandle.standardOutput { try file.close() }
    } catch {
      fail(failure(of: error))
    }
  }

  /// Notes the first failure; nothing is written after it.
  private func fail(_ failure: ProgramFailure) {
    state.withLock { if $0.failure == nil { $0.failure = failure } }
  }

  private func failure(of error: any Error) -> ProgramFailure {
    switch error {
    case let failure as ProgramFailure: failure
    case WAVEWriter.Error.closed: ProgramFailure(.inputOutput, "The reader of \(name) has gone.")
    case WAVEWriter.Error.system(let errno): OutputFile.failure(errno, name: name)
    default: ProgramFailure(.inputOutput, "\(name): \(error).")
    }
  }

  private static func open(_ path: String) throws(ProgramFailure) -> FileHandle {
    FileHandle(fileDescriptor: try OutputFile.open(path), closeOnDealloc: true)
  }
}

extension WAVEFormat {
  /// The format for people.
  fileprivate var text: String {
    "\(sampleRate) Hz on \(channelCount) channel\(channelCount == 1 ? "" : "s")"
  }
}

extension BroadcastAudio {
  /// How long it lasts, in seconds.
  fileprivate var seconds: Double { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }
}
