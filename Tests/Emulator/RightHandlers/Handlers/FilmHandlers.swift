import AVFoundation
import ReplayKit

/// Writes a film in H.264, in which pauses stand.
final class MovieHandler: RPBroadcastSampleHandler {
  private var movie: Movie?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    do {
      if movie?.hasFailed ?? true { movie = try Movie(like: pixels, codec: .h264) }
      movie?.append(sampleBuffer)
    } catch { finishBroadcastWithError(error) }
  }

  override func broadcastFinished() {
    if PlantedFault.endsNever.isPlanted { DispatchSemaphore(value: 0).wait() }
    movie?.finish()
  }
}

/// Writes a film in HEVC with both sounds, from which pauses are cut.
final class HEVCHandler: RPBroadcastSampleHandler {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var movie: Movie?
  private var cut = CMTime.zero
  private var lastTime: CMTime?
  private var isCutting = false

  override func broadcastPaused() { lock.withLock { isCutting = true } }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    do { try lock.withLock { try append(sampleBuffer, type) } } catch { finishBroadcastWithError(error) }
  }

  override func broadcastFinished() { lock.withLock { movie?.finish() } }

  private func append(_ sampleBuffer: CMSampleBuffer, _ type: RPSampleBufferType) throws {
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
    if type == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
      if movie?.hasFailed ?? true {
        movie = try Movie(like: pixels, codec: .hevc, withSound: true)
        (cut, lastTime, isCutting) = (.zero, nil, false)
      }
      if isCutting, let lastTime { cut = cut + (time - lastTime) - CMTime(value: 1, timescale: 60) }
      (isCutting, lastTime) = (false, time)
    }
    // Sound waits for the first picture after the pause, which ends the cut.
    guard !isCutting else { return }
    let offset = type != .video && PlantedFault.shiftsSound.isPlanted ? .zero : cut
    if let copy = sampleBuffer.retimed({ $0 - offset }) { movie?.append(copy, of: type) }
  }
}

/// Writes a film for every two seconds.
final class SegmentHandler: RPBroadcastSampleHandler {
  private static let length = CMTime(value: 2, timescale: 1)

  private let endings = DispatchGroup()
  private var movie: Movie?
  private var start = CMTime.zero

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
    do {
      if let movie, movie.hasFailed || time - start >= Self.length {
        movie.finish(in: endings)
        self.movie = nil
      }
      if movie == nil {
        movie = try Movie(like: pixels, codec: .h264)
        start = time
      }
      movie?.append(sampleBuffer)
    } catch { finishBroadcastWithError(error) }
  }

  override func broadcastFinished() {
    movie?.finish(in: endings)
    Movie.wait(for: endings)
  }
}

/// Writes every tenth frame, at a tenth of its time.
final class TimeLapseHandler: RPBroadcastSampleHandler {
  private var movie: Movie?
  private var start = CMTime.zero
  private var count = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    defer { count += 1 }
    guard count % 10 == 0 else { return }
    do {
      if movie?.hasFailed ?? true {
        movie = try Movie(like: pixels, codec: .h264)
        start = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
      }
      let start = start
      let copy = sampleBuffer.retimed {
        start + CMTimeMultiplyByRatio($0 - start, multiplier: 1, divisor: 10)
      }
      if let copy { movie?.append(copy) }
    } catch { finishBroadcastWithError(error) }
  }

  override func broadcastFinished() { movie?.finish() }
}

/// Keeps the last five seconds as encoded frames, and writes them at the end.
final class ClipHandler: RPBroadcastSampleHandler {
  private static let seconds = 5

  private let encoder = H264Encoder()
  private let lock = NSLock()
  /// The frames from each key frame on, about a second. Guarded by `lock`.
  private var groups: [[Data]] = []

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    encoder.onAccessUnit = { [weak self] bytes, isKeyFrame in
      guard let self else { return }
      self.lock.withLock {
        if isKeyFrame { self.groups.append([]) }
        if self.groups.count > Self.seconds { self.groups.removeFirst() }
        guard !self.groups.isEmpty else { return }
        self.groups[self.groups.count - 1].append(bytes)
      }
    }
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if type == .video { encoder.encode(sampleBuffer) }
  }

  override func broadcastFinished() {
    encoder.stop()
    let clip = lock.withLock { groups.joined().reduce(into: Data()) { $0 += $1 } }
    guard !clip.isEmpty else { return }
    do { try clip.write(to: Group.recording("h264"), options: .atomic) } catch {
      NSLog("%@", "The clip is not written: \(error)")
    }
  }
}
