import CoreVideo
import PixelAccess
import TestSupport

@testable import TestPatterns

@Suite(.busyMachine) struct ChartReadingTests {
  private static let size = (width: 886, height: 1918)

  private func chart(
    _ frame: UInt64, _ rotation: PictureRotation = .none, lumaPadding: Int = 0
  ) throws -> Picture {
    let (width, height) = Self.size
    let picture = try Picture(width: width, height: height, lumaPadding: lumaPadding)
    let painter = try PatternPainter(
      .chart, width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      framesPerSecond: 60, rotation: rotation)
    try painter.paint(frame: frame, into: picture.buffer)
    return picture
  }

  /// Returns a scaled copy, as an app would make it. Each pixel is the mean of four samples near a point of `picture`.
  private func remade(
    _ picture: Picture, width: Int, height: Int, bars: Int = 0, noise: Int = 0,
    _ point: (Double, Double) -> (Double, Double) = { ($0, $1) }
  ) throws -> Picture {
    let made = try Picture(width: width + 2 * bars, height: height)
    let points = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
    for plane in 0..<2 {
      let step = plane + 1
      let from = picture.rows(plane)
      let (columns, rows) = (Self.size.width / step, Self.size.height / step)
      var random = SplitMix(state: 1)
      made.buffer.writePlane(plane) { bytes, shape in
        bytes.fill(0..<bytes.count, with: plane == 0 ? 0 : 128)
        for row in 0..<height / step {
          for column in 0..<width / step {
            for part in 0..<step {
              var sum = 0
              for (x, y) in points {
                let at = point(
                  (Double(column) + x) / Double(width / step), (Double(row) + y) / Double(height / step))
                sum += Int(
                  from[min(rows - 1, Int(at.1 * Double(rows)))][
                    min(columns - 1, Int(at.0 * Double(columns))) * step + part])
              }
              let value = sum / 4 + (noise > 0 ? Int(random.next() >> 33) % (2 * noise) - noise : 0)
              bytes[row * shape.bytesPerRow + (column + bars / step) * step + part] = UInt8(
                min(255, max(0, value)))
            }
          }
        }
      }
    }
    return made
  }

  @Test(arguments: [(886, 1918), (443, 959), (240, 427), (100, 216)])
  func aScaledPictureWithNoiseIsRead(width: Int, height: Int) throws {
    for frame: UInt64 in [1365, 4096 + 77] {
      let reading = ChartReading(try remade(try chart(frame), width: width, height: height, noise: 40).buffer)
      #expect(reading?.number == Int(frame % 4096))
      #expect(reading?.quarterTurns == 0 && reading?.isMirrored == false && reading?.shear == 0)
      #expect(reading?.width == width && reading?.height == height)
    }
  }

  @Test(arguments: [(PictureRotation.quarter, 3), (.half, 2), (.threeQuarters, 1)])
  func aPictureThatNobodyTurnedIsFoundTurned(rotation: PictureRotation, turns: Int) throws {
    let picture = try chart(1234, rotation)
    let reading = ChartReading(picture.buffer)
    #expect(reading?.number == 1234 && reading?.quarterTurns == turns && reading?.isMirrored == false)
    var turner = PictureTurner()
    let shown = ChartReading(try turner.turn(picture.buffer, by: rotation))
    #expect(shown?.number == 1234 && shown?.quarterTurns == 0 && shown?.isMirrored == false)
  }

  @Test func mirroredPicturesAndBlackBarsAreFound() throws {
    let picture = try chart(9)
    let mirrored = ChartReading(try remade(picture, width: 300, height: 650) { (1 - $0, $1) }.buffer)
    #expect(mirrored?.isMirrored == true && mirrored?.number == 9)
    let barred = ChartReading(try remade(picture, width: 300, height: 650, bars: 200).buffer)
    #expect(barred?.width == 300 && barred?.number == 9 && barred?.isMirrored == false)
  }

  /// Widths to which an app may scale an observed screen of 886 pixels (rows padded to 896 bytes).
  @Test(arguments: [886, 443, 222]) func aPictureWhoseRowsWereTakenForItsWidthIsSheared(width: Int) throws {
    let (padded, padding) = (try chart(9, lumaPadding: 10), 10)
    let sheared = try Picture(width: Self.size.width, height: Self.size.height)
    let bytes = [padded.rows(0).flatMap(\.self), padded.rows(1).flatMap(\.self)]
    for plane in 0..<2 {
      sheared.buffer.writePlane(plane) { target, _ in
        for index in target.indices { target[index] = bytes[plane][index] }
      }
    }
    let reading = ChartReading(
      try remade(sheared, width: width, height: width * Self.size.height / Self.size.width).buffer)
    #expect(reading.map { abs($0.shear - padding) <= 2 } == true)
  }

  @Test(arguments: TestPattern.allCases.filter { $0 != .chart })
  func anotherPictureHasNoReading(pattern: TestPattern) throws {
    let picture = try Picture(width: Self.size.width, height: Self.size.height)
    let painter = try PatternPainter(
      pattern, width: Self.size.width, height: Self.size.height,
      pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, framesPerSecond: 60)
    try painter.paint(frame: 7, into: picture.buffer)
    #expect(ChartReading(picture.buffer) == nil)
  }

  @Test func aPictureWithoutItsCornersHasNoReading() throws {
    let part = try remade(try chart(7), width: 443, height: 443) { ($0, 0.25 + $1 / 2) }
    #expect(ChartReading(part.buffer) == nil)
  }
}
