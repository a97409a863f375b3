import CoreVideo
import Foundation
import PictureFormats
import PixelAccess
import WebRTC

/// The worst moments of a watch, each with a small copy of its frame.
struct WorstMoments: Sendable {
  struct Moment: Sendable {
    /// What is worst here, such as "Oldest frame".
    var name: String
    /// Seconds since the start of the watch.
    var time: Double
    var text: String
    fileprivate var picture: (pixels: CVPixelBuffer, rotation: PictureRotation)?

    /// The frame as PNG, upright.
    func png() throws(PNGEncoder.Error) -> Data? {
      guard let picture else { return nil }
      return try PNGEncoder.encode(picture.pixels, rotation: picture.rotation)
    }
  }

  /// One for each name, in the order of their times.
  var all: [Moment] { moments.values.sorted { $0.time < $1.time } }

  private var moments: [String: Moment] = [:]

  /// The number of different problems that are kept.
  private static let capacity = 8
  /// The longer side of a copy in pixels.
  private static let longestSide = 480

  /// Keeps a moment, in place of an earlier one of this name.
  mutating func keep(_ name: String, at time: Double, _ text: String, frame: RTCVideoFrame?) {
    guard moments[name] != nil || moments.count < Self.capacity else { return }
    moments[name] = Moment(name: name, time: time, text: text, picture: frame.flatMap(Self.copy))
  }

  /// Whether a moment of this name was kept.
  func has(_ name: String) -> Bool { moments[name] != nil }

  private static func copy(_ frame: RTCVideoFrame) -> (CVPixelBuffer, PictureRotation)? {
    guard let buffer = frame.buffer as? RTCCVPixelBuffer else { return nil }
    let (width, height) = (Int(buffer.width), Int(buffer.height))
    let scale = min(1, Double(longestSide) / Double(max(width, height)))
    func scaled(_ side: Int) -> Int { max(2, Int((Double(side) * scale).rounded()) & ~1) }
    var copy: CVPixelBuffer?
    // UNSAFE: the out parameter is a local variable.
    let status = unsafe CVPixelBufferCreate(
      kCFAllocatorDefault, scaled(width), scaled(height), CVPixelBufferGetPixelFormatType(buffer.pixelBuffer),
      nil, &copy)
    // UNSAFE: no temporary memory is passed.
    guard status == kCVReturnSuccess, let copy, unsafe buffer.cropAndScale(to: copy, withTempBuffer: nil)
    else {
      return nil
    }
    return (copy, PictureRotation(frame.rotation))
  }
}
