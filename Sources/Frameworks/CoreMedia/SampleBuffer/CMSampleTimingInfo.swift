/// When a sample is shown, for how long, and when it is decoded.
public struct CMSampleTimingInfo: Sendable {
  /// How long the sample lasts.
  public var duration: CMTime
  /// When the sample is shown.
  public var presentationTimeStamp: CMTime
  /// When the sample is decoded; invalid when that is the order of presentation.
  public var decodeTimeStamp: CMTime

  /// Timing of three given times.
  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  /// Timing of three invalid times.
  public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

  /// Timing of three invalid times.
  public static let invalid = CMSampleTimingInfo()
}
