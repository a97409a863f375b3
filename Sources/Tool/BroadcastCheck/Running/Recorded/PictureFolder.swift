import Causes
import Foundation
import ImageIO
import Platform
import TestPatterns

/// The JPEG pictures that an app or another program renames into a folder, as the remote side of the call sees them.
final class PictureFolder {
  struct Picture {
    let name: String
    let time: MonotonicTime
    /// The reading of the chart; `nil` if the picture does not show the chart or cannot be read.
    let reading: ChartReading?
  }

  static let variable = "BROADCAST_PICTURES"
  let path: String
  private(set) var pictures: [Picture] = []
  private let notifications: FolderNotifications

  init(path: String) throws(FileError) {
    self.path = path
    try PrivateFolder.prepare(path)
    notifications = try FolderNotifications(of: .changes, for: path)
    try notifications.watch(path)
  }

  /// Reads the new pictures.
  func look(at time: MonotonicTime) {
    for name in Set(notifications.take().filter { !$0.isRemoval }.map(\.name)) {
      guard [".jpg", ".jpeg"].contains(where: name.lowercased().hasSuffix) else { continue }
      // Skip a picture that was removed in the meantime.
      do throws(FileError) {
        let bytes = try PlainFile.read("\(path)/\(name)", limit: 1 << 24)
        pictures.append(Picture(name: name, time: time, reading: Self.reading(bytes)))
      } catch {}
    }
  }

  private static func reading(_ bytes: [UInt8]) -> ChartReading? {
    guard let pixels = JPEG.decode(Data(bytes)), var reading = ChartReading(pixels) else { return nil }
    // Readers rotate a picture that states an orientation, so it counts as upright.
    if Data(bytes.prefix(1 << 16)).range(of: Data("Exif\0\0".utf8)) != nil {
      (reading.quarterTurns, reading.isMirrored) = (0, false)
    }
    return reading
  }
}

extension PictureFolder {
  /// Returns the faults of pictures in order. A fault must be in two consecutive pictures, because an app may rotate one
  /// picture late after each rotation.
  ///
  /// - Parameter frames: the size of the screen's frames, if it is known.
  static func causes(of pictures: [Picture], frames: (width: Int, height: Int)?) -> [Cause] {
    let read = pictures.compactMap { picture in picture.reading.map { (picture, $0) } }
    var causes: [Cause] = []
    func add(
      _ detail: String, _ severity: Cause.Severity = .fault, _ isWrong: (ChartReading) -> Bool,
      _ sentence: (ChartReading) -> String
    ) {
      let wrong = read.filter { isWrong($1) }
      guard zip(read, read.dropFirst()).contains(where: { isWrong($0.1) && isWrong($1.1) }) else { return }
      causes.append(
        Cause(
          .pictureWrong, detail, severity, from: wrong[0].0.time, to: wrong[wrong.count - 1].0.time,
          evidence: ["\(wrong.count) of \(read.count) pictures have this fault."],
          "The app's picture \(sentence(wrong[0].1))."))
    }
    add("sheared") {
      $0.shear != 0
    } _: {
      "is sheared by \(abs($0.shear)) pixels a row: use the row length from CVPixelBufferGetBytesPerRowOfPlane, not from "
        + "the width"
    }
    add("mirrored") {
      $0.isMirrored
    } _: { _ in
      "is mirrored: left is right"
    }
    add("turned") {
      !$0.isMirrored && $0.quarterTurns != 0
    } _: {
      "is rotated clockwise by \(90 * $0.quarterTurns)°: rotate it as the RPVideoSampleOrientationKey of its sample says"
    }
    if let frames {
      add("stretched", .warning) {
        $0.shear == 0 && !hasAspect($0, of: frames.width, frames.height)
      } _: {
        "is stretched: \($0.width)x\($0.height) of frames of \(frames.width)x\(frames.height)"
      }
    }
    // Compare only files of the same name, because several threads may write files of different names.
    let backward = Dictionary(grouping: read, by: \.0.name).values.flatMap { pictures in
      zip(pictures, pictures.dropFirst()).compactMap { earlier, later -> (MonotonicTime, Int, Int)? in
        guard let one = earlier.1.number, let other = later.1.number,
          (1..<0x800).contains((one - other) & 0xFFF)
        else { return nil }
        return (later.0.time, one, other)
      }
    }.sorted { $0.0 < $1.0 }
    if backward.count >= 2 {
      let (time, earlier, later) = backward[0]
      causes.append(
        Cause(
          .pictureWrong, "older", from: time,
          "The app's picture jumps back, from frame \(earlier) to frame \(later)."))
    }
    return causes
  }

  /// Whether a picture has the aspect ratio of the frames, upright or rotated, within 2 % and two pixels.
  private static func hasAspect(_ picture: ChartReading, of width: Int, _ height: Int) -> Bool {
    [(width, height), (height, width)].contains { width, height in
      let wanted = Double(picture.height) * Double(width) / Double(height)
      return abs(Double(picture.width) - wanted) <= 0.02 * wanted + 2
    }
  }
}
