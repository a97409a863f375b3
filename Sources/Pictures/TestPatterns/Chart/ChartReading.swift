import CoreVideo
import PixelAccess

/// The information that an image of ``TestPattern/chart`` shows.
///
/// ```swift
/// if let reading = ChartReading(pixels), reading.quarterTurns != 0 { print("turned") }
/// ```
package struct ChartReading: Equatable, Sendable {
  /// The number of quarter turns by which the image is rotated clockwise.
  package var quarterTurns = 0
  /// Whether left and right are swapped, before the rotation.
  package var isMirrored = false
  /// The number of pixels by which each row is shifted relative to the row above; 0 for an image with correct rows.
  package var shear = 0
  /// The lowest twelve bits of the frame number; `nil` for a sheared image.
  package var number: Int?
  /// The size of the image in pixels, without black bars at its edges.
  package var width: Int
  package var height: Int

  /// Reads a 4:2:0 image with full range; `nil` if it is not recognized as the chart with its four corners.
  package init?(_ pixels: CVPixelBuffer) {
    guard pixels.planeCount == 2, let picture = Samples(pixels) else { return nil }
    (width, height) = (picture.columns.count, picture.rows.count)
    let middle = Chart.corners.map { Double($0.lowerBound + $0.upperBound) / 128 }
    let found = (0..<4).map { picture.colour(middle[$0 % 2], middle[$0 / 2]) }
    for isMirrored in [false, true] {
      var corners = isMirrored ? [1, 0, 3, 2] : [0, 1, 2, 3]
      for turns in 0..<4 {
        if found == corners {
          (quarterTurns, self.isMirrored) = (turns, isMirrored)
          number = number(in: picture)
          if number != nil { return }
        }
        corners = [corners[2], corners[0], corners[3], corners[1]]
      }
    }
    guard let shear = picture.shear else { return nil }
    (self.shear, quarterTurns, isMirrored) = (shear, 0, false)
  }

  private func number(in picture: Samples) -> Int? {
    var code: UInt16 = 0
    for index in 0..<16 {
      let (column, row) = (Chart.blockColumns[index % 4], Chart.blockRows[index / 4])
      var (x, y) = (
        Double(column.lowerBound + column.upperBound) / 128, Double(row.lowerBound + row.upperBound) / 128
      )
      if isMirrored { x = 1 - x }
      for _ in 0..<quarterTurns { (x, y) = (1 - y, x) }
      let luma = picture.luma(x, y)
      guard luma < 90 || luma > 165 else { return nil }
      if luma > 165 { code |= 1 << index }
    }
    return Chart.number(of: code)
  }
}

/// The samples of an image, without black bars at its edges.
private struct Samples {
  private let luma: [UInt8]
  private let chroma: [UInt8]
  private let stride: Int
  private let pairStride: Int
  private(set) var columns: Range<Int>
  private(set) var rows: Range<Int>

  /// The mean luma below which a row or column at an edge is a black bar.
  private static let bar = 24

  /// Copies the samples; `nil` for an image that is too small or black.
  init?(_ pixels: CVPixelBuffer) {
    func bytes(_ plane: Int) -> ([UInt8], PlaneShape) {
      pixels.readPlane(plane) { bytes, shape in
        var copy = [UInt8](repeating: 0, count: bytes.count)
        var target = copy.mutableSpan
        target.copy(bytes)
        return (copy, shape)
      }
    }
    let ((luma, shape), (chroma, pairs)) = (bytes(0), bytes(1))
    (self.luma, self.chroma, stride, pairStride) = (luma, chroma, shape.bytesPerRow, pairs.bytesPerRow)
    (columns, rows) = (0..<shape.width, 0..<shape.height)
    while let row = rows.first, mean(columns, row..<row + 1) < Self.bar { rows.removeFirst() }
    while let row = rows.last, mean(columns, row..<row + 1) < Self.bar { rows.removeLast() }
    guard rows.count >= 64 else { return nil }
    while let column = columns.first, mean(column..<column + 1, rows) < Self.bar { columns.removeFirst() }
    while let column = columns.last, mean(column..<column + 1, rows) < Self.bar { columns.removeLast() }
    guard columns.count >= 64 else { return nil }
  }

  private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> Int {
    luma.span.sum(columns, of: rows, every: stride) / max(columns.count * rows.count, 1)
  }

  /// Returns the pixels around a point (coordinates 0 to 1).
  private func around(_ x: Double, _ y: Double) -> (x: Range<Int>, y: Range<Int>) {
    func part(_ place: Double, _ all: Range<Int>) -> Range<Int> {
      let (middle, radius) = (all.lowerBound + Int(place * Double(all.count)), all.count / 48)
      return middle - radius..<middle + radius
    }
    return (part(x, columns), part(y, rows))
  }

  func luma(_ x: Double, _ y: Double) -> Int {
    let area = around(x, y)
    return mean(area.x, area.y)
  }

  /// Returns the index of the ``Chart/colours`` at a point; `nil` if there is none.
  func colour(_ x: Double, _ y: Double) -> Int? {
    let area = around(x, y)
    var (cb, cr, count) = (0, 0, 0)
    for row in area.y.lowerBound / 2..<area.y.upperBound / 2 {
      for column in area.x.lowerBound / 2..<area.x.upperBound / 2 {
        cb += Int(chroma[row * pairStride + 2 * column]) - 128
        cr += Int(chroma[row * pairStride + 2 * column + 1]) - 128
        count += 1
      }
    }
    guard count > 0, abs(cb) > 12 * count, abs(cr) > 12 * count else { return nil }
    return cb < 0 ? (cr > 0 ? 0 : 1) : (cr > 0 ? 3 : 2)
  }

  /// The number of pixels by which the line shifts from row to row, equal in most rows above and below the blocks. `nil` if there
  /// is no such line, or if it is upright.
  var shear: Int? {
    var steps: [Int] = []
    for part in [3..<14, 50..<61] {
      let part = part.lowerBound * rows.count / 64..<part.upperBound * rows.count / 64
      let places = part.map { place(ofLineIn: rows.lowerBound + $0) }
      let found = zip(places, places.dropFirst()).compactMap { above, below -> Int? in
        guard let above, let below else { return nil }
        let step = (below - above + columns.count) % columns.count
        return step > columns.count / 2 ? step - columns.count : step
      }
      guard found.count >= part.count / 2 else { return nil }
      steps += found
    }
    let median = steps.sorted()[steps.count / 2]
    // In a scaled image, a row is a mix of several original rows.
    let alike = steps.count { abs($0 - median) <= 2 + abs(median) / 3 }
    return abs(median) >= 2 && alike * 10 >= steps.count * 7 ? median : nil
  }

  /// Returns the middle of the white line in a row; `nil` if the row has none.
  private func place(ofLineIn row: Int) -> Int? {
    let width = max(2, columns.count * Chart.line.count / 64)
    var sum = 0
    var best = (sum: 0, end: 0)
    for column in columns {
      sum += Int(luma[row * stride + column])
      if column >= columns.lowerBound + width { sum -= Int(luma[row * stride + column - width]) }
      if sum > best.sum { best = (sum, column) }
    }
    // The image is darker on both sides of the line.
    for start in [best.end + width, best.end - 3 * width] {
      let beside = columns.clamped(to: start..<start + width)
      if !beside.isEmpty, mean(beside, row..<row + 1) > best.sum / width - 50 { return nil }
    }
    return best.end - columns.lowerBound
  }
}
