import CPixels
import CoreVideo
import PixelAccess

extension MutableSpan<UInt8> {
  /// Fills an area of a plane with the tags of a frame. Traps if the area is not within the span.
  ///
  /// - Parameter area: the rows and bytes of plane `index`.
  mutating func paintProof(
    _ frame: UInt64, _ area: PixelRect, plane index: Int, every stride: Int, level: ProofTag.Level = .plain
  ) {
    guard area.width > 0, area.height > 0 else { return }
    precondition(
      area.x >= 0 && area.y >= 0 && area.x + area.width <= stride
        && (area.y + area.height - 1) * stride + area.x + area.width <= count,
      "the area is outside of the span")
    // UNSAFE: the area is checked above.
    unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe cpixels_paint_proof(
        bytes.baseAddress, stride, Int32(area.y), area.x, area.width, Int32(area.height), Int32(index),
        UInt32(truncatingIfNeeded: frame), level.rawValue)
    }
  }
}

extension Span<UInt8> {
  /// Reads sixteen bytes of a plane; `nil` unless they are a valid tag of that plane.
  func proofTag(at offset: Int, plane: Int) -> (frame: UInt32, row: Int)? {
    let bytes = extracting(offset..<offset + ProofTag.byteCount)
    var frame: UInt32 = 0
    // UNSAFE: the range is checked above.
    let row = unsafe bytes.withUnsafeBufferPointer {
      unsafe cpixels_read_tag($0.baseAddress, Int32(plane), &frame)
    }
    return row < 0 ? nil : (frame, Int(row))
  }

  /// Returns the first row with a byte that does not belong to this frame and position; `nil` if there is none.
  func firstWrongRow(_ frame: UInt32, _ shape: PlaneShape, plane: Int) -> Int? {
    let width = shape.width * (plane + 1)
    guard shape.height > 0 else { return nil }
    let bytes = extracting(0..<(shape.height - 1) * shape.bytesPerRow + width)
    // UNSAFE: the range is checked above.
    let row = unsafe bytes.withUnsafeBufferPointer {
      unsafe cpixels_verify_proof(
        $0.baseAddress, shape.bytesPerRow, width, Int32(shape.height), Int32(plane), frame)
    }
    return row < shape.height ? Int(row) : nil
  }
}
