import CoreVideo
import PixelAccess

/// Checks that every visible byte of a frame of ``TestPattern/proof`` belongs to the same frame and is at its position.
///
/// ```swift
/// switch ProofVerifier.verify(pixelBuffer) {
/// case .whole(let frame): print("frame \(frame)")
/// case .torn, .notProof: print("not one frame")
/// }
/// ```
package enum ProofVerifier {
  /// Returns the verdict on a 420f or 420v frame. The verdict is `.notProof` for any other format, and for a chroma plane that
  /// does not cover the luma plane. Row padding is ignored.
  package static func verify(_ pixelBuffer: CVPixelBuffer) -> ProofVerdict {
    guard pixelBuffer.planeCount == 2 else { return .notProof }
    let (size, pairs) = (pixelBuffer.planeShape(0), pixelBuffer.planeShape(1))
    guard pairs.width == (size.width + 1) / 2, pairs.height == (size.height + 1) / 2 else { return .notProof }
    let luma = pixelBuffer.readPlane(0) { bytes, shape -> ProofVerdict in
      guard shape.width >= ProofTag.byteCount else { return .notProof }
      if let frame = frameAtStart(of: bytes, shape) { return verify(bytes, shape, plane: 0, of: frame) }
      guard let stray = strayFrame(in: bytes, shape) else { return .notProof }
      return .torn(row: 0, plane: 0, expected: stray, found: stray)
    }
    guard case .whole(let frame) = luma else { return luma }
    return pixelBuffer.readPlane(1) { bytes, shape in verify(bytes, shape, plane: 1, of: frame) }
  }

  /// Compares the rows of a plane with the rows of a frame.
  private static func verify(
    _ bytes: Span<UInt8>, _ shape: PlaneShape, plane: Int, of frame: UInt32
  ) -> ProofVerdict {
    guard let row = bytes.firstWrongRow(frame, shape, plane: plane) else { return .whole(frame: frame) }
    let offset = row * shape.bytesPerRow
    let found = deviatingFrame(
      in: bytes.extracting(offset..<offset + shape.width * (plane + 1)), plane: plane, row: row,
      expected: frame)
    return .torn(row: row, plane: plane, expected: frame, found: found)
  }

  /// Returns the frame of the first tags at their position. Two tags must agree, among a few tags of each row, because a damaged
  /// tag may still be valid.
  private static func frameAtStart(of bytes: Span<UInt8>, _ shape: PlaneShape) -> UInt32? {
    var seen: [UInt32] = []
    for row in 0..<shape.height where seen.count < 64 {
      for group in 0..<min(4, shape.width / ProofTag.byteCount) {
        let offset = row * shape.bytesPerRow + group * ProofTag.byteCount
        guard let found = bytes.proofTag(at: offset, plane: 0), found.row == row else { continue }
        if seen.contains(found.frame) { return found.frame }
        seen.append(found.frame)
      }
    }
    return seen.first
  }

  /// Returns the frame of a tag at any position in a few rows, for a proof frame that is out of place.
  private static func strayFrame(in bytes: Span<UInt8>, _ shape: PlaneShape) -> UInt32? {
    for sample in 0..<8 {
      let row = sample * shape.height / 8
      for column in 0...min(48, shape.width - ProofTag.byteCount) {
        if let found = bytes.proofTag(at: row * shape.bytesPerRow + column, plane: 0) { return found.frame }
      }
    }
    return nil
  }

  /// Returns the frame of the deviating bytes of a row; `nil` if no frame explains them.
  private static func deviatingFrame(
    in bytes: Span<UInt8>, plane: Int, row: Int, expected: UInt32
  ) -> UInt32? {
    let own = ProofTag(frame: expected, plane: plane, row: row)
    let first = bytes.indices.first { !own.allows(bytes[$0], column: $0, plane: plane) } ?? 0
    // Search for the nearest frame that explains every byte: each single byte distinguishes nearby frames.
    for distance in UInt32(1)...14 {
      for other in [expected &+ distance, expected &- distance] {
        let tag = ProofTag(frame: other, plane: plane, row: row)
        let explains = bytes.indices.allSatisfy {
          own.allows(bytes[$0], column: $0, plane: plane) || tag.allows(bytes[$0], column: $0, plane: plane)
        }
        if explains { return other }
      }
    }
    // For a distant frame, read a complete tag. The tag at the deviation may be mixed, so check the next one first.
    let group = first / ProofTag.byteCount * ProofTag.byteCount
    for start in [group + ProofTag.byteCount, group] where start + ProofTag.byteCount <= bytes.count {
      if let found = bytes.proofTag(at: start, plane: plane), found.frame != expected || found.row != row {
        return found.frame
      }
    }
    // A shear by a few bytes leaves complete tags at positions that are not multiples of the tag size.
    for start in bytes.indices.dropLast(ProofTag.byteCount - 1)
    where !start.isMultiple(of: ProofTag.byteCount) {
      // Tags repeat, so only a displaced row has a tag at such a position.
      if let found = bytes.proofTag(at: start, plane: plane) { return found.frame }
    }
    return nil
  }
}
