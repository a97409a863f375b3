import CoreMedia
import CoreVideo
import Foundation
import Platform
import ReplayKitCore
import Synchronization

/// Records what the handler writes with AVAssetWriter, and the samples delivered in the same time.
package final class RecordingLog: Sendable {
  /// A writer, from its start on.
  private struct Writer: Sendable {
    weak var writer: (any RecordedWriter)?
    /// The final record of a writer that has ended.
    var record: AVAssetWriterRecord?
    var delivered: [Int: Delivery]
    /// Whether samples that are delivered now belong to the writer.
    var isOpen = true
  }

  private struct Delivery: Sendable {
    var figures = RecordingEvent.Delivered()
    var newest = RecordingEvent.Delivered()
    var isPaused = false

    mutating func add(at time: Double, lasting duration: Double) {
      if figures.samples == 0 {
        figures.first = time
      } else {
        let gap = time - figures.last
        if isPaused {
          (figures.pauses, figures.longestPause) = (figures.pauses + gap, max(figures.longestPause, gap))
        } else {
          figures.longestGap = max(figures.longestGap, gap)
        }
      }
      isPaused = false
      (figures.last, figures.samples) = (time, figures.samples + 1)
      if duration.isFinite { figures.seconds += duration }
      newest = RecordingEvent.Delivered()
      (newest.samples, newest.first, newest.last) = (1, time, time)
      if duration.isFinite { newest.seconds = duration }
    }

    /// The initial delivery of a writer that starts during the call with the newest sample.
    var forNewWriter: Delivery { Delivery(figures: newest, newest: newest) }
  }

  private struct State: Sendable {
    var writers: [(id: ObjectIdentifier, entry: Writer)] = []
    var all: [Int: Delivery] = [:]
    /// When the handler's last call returned.
    var end: Double?

    mutating func change(_ writer: ObjectIdentifier, _ body: (inout Writer) -> Void) {
      // A new writer can have the identifier of a released one.
      guard let index = writers.lastIndex(where: { $0.id == writer && $0.entry.record == nil }) else {
        return
      }
      body(&writers[index].entry)
    }
  }

  private let state = Mutex(State())
  /// The maximum number of recordings that are kept, because an endless broadcast may make many.
  private static let limit = 500

  package init() {}

  /// Marks and counts a sample that is about to be delivered.
  func deliver(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) {
    let (stream, time, duration) = (
      type.rawValue, sample.presentationTimeStamp.seconds, sample.duration.seconds
    )
    guard time.isFinite else { return }
    sample.captureMark = CaptureMark(stream: stream, seconds: time)
    state.withLock { state in
      state.all[stream, default: Delivery()].add(at: time, lasting: duration)
      for index in state.writers.indices where state.writers[index].entry.isOpen {
        state.writers[index].entry.delivered[stream, default: Delivery()].add(at: time, lasting: duration)
      }
    }
  }

  /// Records that the handler is notified of a pause.
  func pause() {
    state.withLock { state in
      for stream in state.all.keys { state.all[stream]?.isPaused = true }
      for index in state.writers.indices {
        for stream in state.writers[index].entry.delivered.keys {
          state.writers[index].entry.delivered[stream]?.isPaused = true
        }
      }
    }
  }

  /// Records that the handler's last call has returned.
  func end(at time: MonotonicTime) { state.withLock { $0.end = Double(time.nanoseconds) / 1e9 } }

  package func note(_ event: AVAssetWriterRecord.Event) {
    state.withLock { state in
      switch event {
      case .earlyAppend: break
      case .started(let writer):
        // The writer starts during the call with the newest sample.
        let newest = state.all.max { $0.value.figures.last < $1.value.figures.last }
        let begun = newest.map { [$0.key: $0.value.forNewWriter] } ?? [:]
        let begunWriter = Writer(writer: writer, delivered: begun)
        state.writers.removeAll { $0.entry.record == nil && $0.entry.writer == nil }
        if state.writers.count < Self.limit { state.writers.append((ObjectIdentifier(writer), begunWriter)) }
      case .finishing(let writer):
        state.change(writer) { $0.isOpen = false }
      case .ended(let record):
        state.change(record.writer) { ($0.isOpen, $0.record, $0.writer) = (false, record, nil) }
      }
    }
  }

  /// The recordings of a finished broadcast, in the order in which they were started.
  package var events: [RecordingEvent] {
    let state = state.withLock(\.self)
    let video = state.all[RPSampleBufferType.video.rawValue]?.figures
    return state.writers.compactMap { _, entry in
      guard let record = entry.record ?? entry.writer?.record, record.status != .cancelled else { return nil }
      var event = RecordingEvent(record, entry.delivered.mapValues(\.figures), ofAll: video)
      if let finish = record.finishCall { event.waited = state.end.map { max(0, $0 - finish) } }
      return event
    }
  }
}

extension RecordingEvent {
  /// - Parameters:
  ///   - delivered: the samples delivered while the writer was open, by stream.
  ///   - video: the frames delivered in the whole broadcast.
  package init(_ record: AVAssetWriterRecord, _ delivered: [Int: Delivered], ofAll video: Delivered?) {
    file = record.url.path
    // If the file is missing, the handler has moved or removed it.
    let size = try? URL(filePath: file).resourceValues(forKeys: [.fileSizeKey]).fileSize
    (bytes, failure, sessionStart) = (size, record.failure, record.start)
    failureCode = record.failureCode
    status =
      switch record.status {
      case .completed: .completed
      case .failed: .failed
      default: record.finishCall == nil ? .unfinished : .finishing
      }
    let tracks = record.tracks.map { ($0, Track($0, delivered, finish: record.finishCall)) }
    self.video = tracks.first { $0.0.mediaType == .video }?.1
    let sounds = tracks.filter { $0.0.mediaType == .audio }.map(\.1)
    (audio, secondAudio) = (sounds.first, sounds.dropFirst().first)
    if let own = delivered[RPSampleBufferType.video.rawValue], let video {
      coversBroadcast = own.first <= video.first + 1 && own.last >= video.last - 0.5
    }
    if let pictures = record.tracks.first(where: { $0.mediaType == .video }), !pictures.isUneven {
      avDriftSeconds = record.tracks.filter { $0.mediaType == .audio && !$0.isUneven }
        .compactMap { Self.distance($0.stretches, pictures.stretches) }.max()
    }
  }

  /// Returns the largest difference between the shifts of two tracks at the same time; `nil` if they do not overlap in time.
  static func distance(
    _ one: [AVAssetWriterRecord.Track.Stretch], _ other: [AVAssetWriterRecord.Track.Stretch]
  ) -> Double? {
    one.flatMap { first in
      other.compactMap { second in
        min(first.to, second.to) - max(first.from, second.from) < 0.2 ? nil : abs(first.shift - second.shift)
      }
    }.max()
  }
}

extension RecordingEvent.Track {
  init(_ track: AVAssetWriterRecord.Track, _ all: [Int: RecordingEvent.Delivered], finish: Double?) {
    samples = track.count
    (first, last) = (track.first ?? 0, track.last ?? 0)
    (longestGap, seconds, longestWait, waits) = (
      track.longestGap, track.seconds, track.longestWait, track.waits
    )
    if let early = track.stretches.first, let late = track.stretches.last {
      (firstCapture, lastCapture) = (early.from, late.to)
      shift = track.isUneven ? nil : late.shift - early.shift
    }
    if let own = track.finishCall { isCut = (finish ?? own) - own > 0.5 }
    // Frames that the handler has drawn itself show the stream as well.
    let number =
      track.stream ?? (track.mediaType == .video ? RPSampleBufferType.video.rawValue : nil)
    delivered = number.flatMap { all[$0] }
    stream = track.stream.flatMap(RPSampleBufferType.init).map { type in
      switch type {
      case .video: "video"
      case .audioApp: "app"
      case .audioMic: "microphone"
      @unknown default: "other"
      }
    }
    // The handler skipped the audio before its first appended sample on purpose.
    if track.mediaType == .audio, let begin = track.stretches.first?.from, let early = delivered?.first {
      delivered?.seconds -= max(0, begin - early)
      delivered?.first = max(begin, early)
    }
  }
}
