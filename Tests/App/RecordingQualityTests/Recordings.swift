import CoreVideo
import Foundation
import PictureFormats
import PixelAccess
import TestPatterns
import TestSupport
import Testing
import WorkerSupport

/// Writes recordings of a test pattern.
struct Recordings {
  let folder: TemporaryFolder
  var width = 160
  var height = 120

  /// Writes frames with these numbers, each changed by `change`; returns the path.
  func write(
    _ name: String, _ numbers: some Sequence<Int>, range: SampleRange = .full, rate: Int = 10,
    change: (Int, CVPixelBuffer) throws -> CVPixelBuffer = { $1 }
  ) throws -> String {
    let format = range == .full ? fullRange : videoRange
    let painter = try PatternPainter(
      .gradient, width: width, height: height, pixelFormat: format, framesPerSecond: rate)
    let picture = try PixelBufferPool(width: width, height: height, pixelFormat: format).makeBuffer()
    let frames = try numbers.map { number in
      try painter.paint(frame: UInt64(number), into: picture)
      return try write(change(number, picture), range: range, rate: rate)
    }
    let path = folder(name)
    let bytes = frames.enumerated().map { index, frame in
      index == 0 ? frame : frame[(frame.firstRange(of: Data("FRAME".utf8))?.lowerBound ?? 0)...]
    }
    try Data(bytes.joined()).write(to: URL(filePath: path))
    return path
  }

  /// A recording of one frame.
  private func write(_ picture: CVPixelBuffer, range: SampleRange, rate: Int) throws -> Data {
    let path = folder("frame.y4m")
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    let header = try Y4MHeader(
      width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture),
      frameRate: .init(rate, 1), range: range)
    try Y4MWriter(fileDescriptor: file.fileDescriptor, header: header).write(picture)
    try file.close()
    return try Data(contentsOf: URL(filePath: path))
  }
}

/// Adds repeatable noise to all samples of a picture, at most `strength` up or down.
func addNoise(_ picture: CVPixelBuffer, _ strength: Int, seed: Int) {
  var state = UInt32(truncatingIfNeeded: seed &* 747_796_405 &+ 1)
  for plane in 0..<2 {
    picture.writePlane(plane) { bytes, _ in
      for index in 0..<bytes.count {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = Int(state >> 16) % (2 * strength + 1) - strength
        bytes[index] = UInt8(clamping: Int(bytes[index]) + noise)
      }
    }
  }
}
