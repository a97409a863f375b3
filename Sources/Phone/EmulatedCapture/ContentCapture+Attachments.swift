import CommandLineSupport
import CoreMedia
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenCapture

extension ContentCapture {
  /// Attaches the state of the screen at `time` to a sample.
  func attach(_ status: SCFrameStatus, to sample: CMSampleBuffer, at time: MonotonicTime) {
    guard
      let dictionary = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)?.first
        as? NSMutableDictionary
    else { return }
    let size = screen.content.size
    let values: [SCStreamFrameInfo: Any] = [
      .status: status.rawValue as NSNumber, .displayTime: (time.nanoseconds * 3 / 125) as NSNumber,
      .scaleFactor: scale as NSNumber,
      .contentScale: (Double(size.width) / Double(native.width)) as NSNumber,
      .contentRect: points(size).dictionaryRepresentation,
      .screenRect: points(native).dictionaryRepresentation,
      .videoOrientation: (screen.orientation ?? .up).rawValue as NSNumber,
    ]
    for (key, value) in values { dictionary[key] = value }
  }

  /// Returns a rectangle at the origin, in points, for a size in pixels.
  func points(_ size: PixelSize) -> CGRect {
    let (points, panel) = (device.profile.points, device.profile.panel)
    return CGRect(
      x: 0, y: 0, width: Double(points.width * size.width) / Double(panel.width),
      height: Double(points.height * size.height) / Double(panel.height))
  }

  /// Pixels per point.
  var scale: Double { Double(device.profile.scale) }
}
