import CoreMedia
import Platform
import ReplayKit

extension CMSampleBuffer {
  /// The orientation that ReplayKit attaches to a frame, a raw value of `CGImagePropertyOrientation`; `nil` without one.
  package var orientationNumber: UInt32? {
    CMGetAttachment(self, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value
  }

  /// When it was taken; zero for a time before the clock's start and for an invalid one.
  package var captureTime: MonotonicTime {
    let time = CMTimeConvertScale(
      CMSampleBufferGetPresentationTimeStamp(self), timescale: 1_000_000_000, method: .default)
    return MonotonicTime(nanoseconds: UInt64(clamping: time.value))
  }
}
