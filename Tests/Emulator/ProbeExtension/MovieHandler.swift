import AVFoundation
import ReplayKit

final class MovieHandler: RPBroadcastSampleHandler {
  private var writer: AVAssetWriter?
  private var input: AVAssetWriterInput?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    if writer == nil { start(pixels, at: sampleBuffer.presentationTimeStamp) }
    if let input, input.isReadyForMoreMediaData { input.append(sampleBuffer) }
  }

  override func broadcastFinished() {
    guard let writer else { return }
    let isComplete = DispatchSemaphore(value: 0)
    writer.finishWriting { isComplete.signal() }
    isComplete.wait()
    do { try FileManager.default.removeItem(at: writer.outputURL) } catch { NSLog("%@", "\(error)") }
  }

  private func start(_ pixels: CVPixelBuffer, at time: CMTime) {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4")
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: CVPixelBufferGetWidth(pixels),
        AVVideoHeightKey: CVPixelBufferGetHeight(pixels),
      ])
    do {
      let writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
      writer.add(input)
      writer.startWriting()
      writer.startSession(atSourceTime: time)
      (self.writer, self.input) = (writer, input)
    } catch { finishBroadcastWithError(error) }
  }
}
