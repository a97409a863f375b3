import PixelAccess
import TestSupport
import WebRTC

/// A reference for the fast scaler: it crops and scales in floating point, directly by the definition.
enum ReferenceScaler {
  /// Returns a part of a picture's plane, scaled to another size.
  static func scale(
    _ buffer: CVPixelBuffer, plane: Int, x: Int, y: Int, width: Int, height: Int, toWidth: Int, toHeight: Int
  ) -> [Double] {
    let channels = plane + 1
    let all = samples(buffer, plane: plane)
    let whole = buffer.planeShape(plane).width
    var result: [Double] = []
    for row in 0..<toHeight {
      let rows = weights(row, from: height, to: toHeight)
      for column in 0..<toWidth {
        let columns = weights(column, from: width, to: toWidth)
        for channel in 0..<channels {
          var sum = 0.0
          for (sourceRow, rowWeight) in rows {
            for (sourceColumn, columnWeight) in columns {
              let index = ((y + sourceRow) * whole + x + sourceColumn) * channels + channel
              sum += Double(all[index]) * rowWeight * columnWeight
            }
          }
          result.append(sum)
        }
      }
    }
    return result
  }

  /// Returns the samples of a line that contribute to output sample `index`, with their weights.
  private static func weights(_ index: Int, from source: Int, to output: Int) -> [(Int, Double)] {
    let ratio = Double(source) / Double(output)
    if ratio < 2 {
      let place = min(max((Double(index) + 0.5) * ratio - 0.5, 0), Double(source - 1))
      let first = Int(place)
      let fraction = place - Double(first)
      return fraction > 0 ? [(first, 1 - fraction), (first + 1, fraction)] : [(first, 1)]
    }
    let (start, end) = (Double(index) * ratio, Double(index + 1) * ratio)
    return (0..<source).compactMap { sample in
      let covered = min(end, Double(sample + 1)) - max(start, Double(sample))
      return covered > 0 ? (sample, covered / ratio) : nil
    }
  }
}
