import EmulatedSystem
import Platform

/// What was delivered to an app that captures its screen.
public struct CaptureFigures: Equatable, Sendable {
  /// Frames that the app got. Those that waited for it at the end of a capture are neither delivered nor dropped.
  public var framesDelivered: UInt64 = 0
  /// Frames that the app did not get: five waited already, or the app held all buffers.
  public var framesDropped: UInt64 = 0
  /// Packets of audio that the app got.
  public var audioDelivered: UInt64 = 0
  package var audioDropped: UInt64 = 0
  /// How long the app's calls with a frame took.
  package var handlerTimes = DelayHistogram()
  /// The code of the error with which the system ended the last capture; `nil` if it did not.
  public var endingCode: Int?
  /// Frames for which the stream had no output of any kind.
  package var framesWithoutOutput: UInt64 = 0
  /// Ends by the system of which no object of the app hears.
  package var endsUnheard = 0
  /// The captures that started.
  public var starts = 0

  package init() {}

  mutating func add<Receiver>(_ delivery: SampleDelivery<Receiver>) {
    let (video, audio) = (delivery.counts(.video), delivery.counts(.audio))
    handlerTimes.add(delivery.videoTimes)
    framesDelivered += video.delivered
    framesDropped += video.dropped
    audioDelivered += audio.delivered
    audioDropped += audio.dropped
  }
}
