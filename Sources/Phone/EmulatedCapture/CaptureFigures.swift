import EmulatedSystem
import Platform

/// The statistics of an app's screen captures.
public struct CaptureFigures: Equatable, Sendable {
  /// Frames delivered to the app. Frames that still wait at the end of a capture are neither delivered nor dropped.
  public var framesDelivered: UInt64 = 0
  /// Frames not delivered, because five were already waiting or the app held all buffers.
  public var framesDropped: UInt64 = 0
  /// Audio packets delivered to the app.
  public var audioDelivered: UInt64 = 0
  package var audioDropped: UInt64 = 0
  /// The durations of the app's calls with a frame.
  package var handlerTimes = DelayHistogram()
  /// The code of the error by which the system ended the last capture; `nil` if no capture ended in this way.
  public var endingCode: Int?
  /// Frames drawn while the stream had no output of any kind.
  package var framesWithoutOutput: UInt64 = 0
  /// How often the system ended a stream without a delegate of the app to notify.
  package var endsUnheard = 0
  /// The number of captures that started.
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
