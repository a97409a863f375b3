import AVFoundation
import ReplayKit

/// Writes a movie in H.264 that keeps the pauses.
final class MovieHandler: RPBroadcastSampleHandler {
  private var movie: Movie?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    do {
      if movie?.hasFailed ?? true { movie = try Movie(like: pixels, codec: .h264) }
      movie?.append(sampleBuffer)
    } catch { finishBroadcastWithError(error) }
  }

  override func broadcastFinished() { movie?.finish() }
}

/// Writes a movie in HEVC with both audio streams, and cuts the pauses.
final class HEVCHandler: RPBroadcastSampleHandler {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var movie: Movie?
  private var cut = CMTime.zero
  private var lastTime: CMTime?
  private var isCutting = false
  /// The times of the last sample of each track, without the pauses.
  private var lastTimes: [RPSampleBufferType: CMTime] = [:]

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
        lastTimes = [:]
      }
      if isCutting, let lastTime { cut = cut + (time - lastTime) - CMTime(value: 1, timescale: 60) }
      (isCutting, lastTime) = (false, time)
    }
    // Audio is dropped until the first frame after a pause, which ends the cut.
    guard !isCutting else { return }
    let offset = type != .video && PlantedFault.shiftsSound.isPlanted ? .zero : cut
    // A packet of audio may begin before the frame that ends the cut. The times of a track must increase.
    if let last = lastTimes[type], time - offset <= last { return }
    lastTimes[type] = time - offset
    if let copy = sampleBuffer.retimed({ $0 - offset }) { movie?.append(copy, of: type) }
  }
}
