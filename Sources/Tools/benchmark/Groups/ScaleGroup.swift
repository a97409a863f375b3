import CommandLineSupport
import CoreVideo
import WebRTC

/// Scaling on the capture side: `adaptOutputFormat` crops and scales a frame to 1080 × 720.
enum ScaleGroup {
  private static let output = PixelSize(width: 1080, height: 720)

  static func measurements(_ context: Context) throws -> [any Measurement] {
    let adapted = HotRow(
      "scale.adapt", "adaptOutputFormat to \(output), cropped and scaled", .microseconds, run: adapt(context))
    let reference = try Peers.scale(context.picture, to: output)
    if context.size == output {
      return [
        HotLoop([adapted, reference], pace: context.pace, obstacle: "the frame has the size asked for")
      ]
    }
    guard let obstacle = Peers.obstacle else { return [HotLoop([adapted, reference], pace: context.pace)] }
    return [
      HotLoop([adapted], pace: context.pace), HotLoop([reference], pace: context.pace, obstacle: obstacle),
    ]
  }

  private static func adapt(_ context: Context) -> (Int) -> Void {
    let factory = RTCPeerConnectionFactory()
    let source = factory.videoSource()
    let capturer = RTCVideoCapturer(delegate: source)
    let track = factory.videoTrack(with: source, trackId: "benchmark")
    source.adaptOutputFormat(toWidth: Int32(output.width), height: Int32(output.height), fps: 60)
    let buffer = RTCCVPixelBuffer(pixelBuffer: context.picture.pixelBuffer)
    var time: Int64 = 0
    return { count in
      for _ in 0..<count {
        // Each frame has a time of its own, so that the rate limit drops none.
        time += 20_000_000
        source.capturer(
          capturer, didCapture: RTCVideoFrame(buffer: buffer, rotation: ._0, timeStampNs: time))
      }
      Keep.object(track)
    }
  }
}
