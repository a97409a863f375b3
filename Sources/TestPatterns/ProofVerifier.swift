import CoreVideo
import PixelAccess

/// Checks every visible byte of a picture of ``TestPattern/proof``: is it of one frame, and each row in its
/// place?
///
/// ```swift
/// switch ProofVerifier.verify(pixelBuffer) {
/// case .whole(let frame): print("frame \(frame)")
/// case .torn, .notProof: print("not one frame")
/// }
/// ```
public enum ProofVerifier {
  /// The verdict on a picture of '420f' or '420v'; any other format is `.notProof`. Padding of rows is not
  /// looked at.
  public static func verify(_ pixelBuffer: CVPixelBuffer) -> ProofVerdict {
    guard pixelBuffer.planeCount == 2 else { return .notProof }
    let luma = pixelBuffer.readPlane(0) { bytes, shape in verifyLuma(bytes, shape) }
    guard case .whole(let frame) = luma else { return luma }
    return pixelBuffer.readPlane(1) { bytes, shape in verifyChroma(bytes, shape, frame: frame) }
  }

  private static func verifyLuma(_ bytes: borrowing Span<UInt8>, _ shape: PlaneShape) -> ProofVerdict {
    guard shape.width >= ProofTag.byteCount else { return .notProof }
    guard let frame = frameAtStart(of: bytes, shape) else {
      guard let stray = strayFrame(in: bytes, shape) else { return .notProof }
      return .torn(row: 0, plane: 0, expected: stray, found: stray)
    }
    for row in 0..<shape.height {
      let offset = row * shape.bytesPerRow
      let tag = ProofTag(frame: frame, plane: 0, row: row)
      guard
        bytes.isRepeated(tag.luma(.plain), offset: offset, width: shape.width)
          || bytes.isRepeated(atAnyLevel: tag, offset: offset, width: shape.width)
      else {
        let found = lumaFrame(in: bytes, shape, row: row, expected: frame)
        return .torn(row: row, plane: 0, expected: frame, found: found)
      }
    }
    return .whole(frame: frame)
  }

  private static func verifyChroma(
    _ bytes: borrowing Span<UInt8>, _ shape: PlaneShape, frame: UInt32
  ) -> ProofVerdict {
    for row in 0..<shape.height {
      let offset = row * shape.bytesPerRow
      let tag = ProofTag(frame: frame, plane: 1, row: row).chroma
      guard bytes.isRepeated(tag, offset: offset, width: shape.width * 2) else {
        let column = (0..<shape.width * 2).first { bytes[offset + $0] != byte($0, of: tag) } ?? 0
        let found = neighbours(of: frame).first { other in
          bytes[offset + column] == byte(column, of: ProofTag(frame: other, plane: 1, row: row).chroma)
        }
        return .torn(row: row, plane: 1, expected: frame, found: found)
      }
    }
    return .whole(frame: frame)
  }

  /// The frame that the first tag in its right place belongs to. A few tags of each row are looked at: one
  /// damaged row, or even many, must not make the picture unrecognisable.
  private static func frameAtStart(of bytes: borrowing Span<UInt8>, _ shape: PlaneShape) -> UInt32? {
    for row in 0..<shape.height {
      for group in 0..<min(4, shape.width / ProofTag.byteCount) {
        let offset = row * shape.bytesPerRow + group * ProofTag.byteCount
        if let found = tag(in: bytes, at: offset), found.row == row { return found.frame }
      }
    }
    return nil
  }

  /// The frame of any tag at any place, in a sample of the picture: it is a proof picture, but out of place.
  private static func strayFrame(in bytes: borrowing Span<UInt8>, _ shape: PlaneShape) -> UInt32? {
    for sample in 0..<8 {
      let row = sample * shape.height / 8
      for column in 0...min(48, shape.width - ProofTag.byteCount) {
        if let found = tag(in: bytes, at: row * shape.bytesPerRow + column) { return found.frame }
      }
    }
    return nil
  }

  /// Which frame the first deviating bytes of a luma row belong to.
  private static func lumaFrame(
    in bytes: borrowing Span<UInt8>, _ shape: PlaneShape, row: Int, expected: UInt32
  ) -> UInt32? {
    let offset = row * shape.bytesPerRow
    let own = ProofTag(frame: expected, plane: 0, row: row)
    var column = 0
    while column < shape.width, bytes.isTag(own, at: offset + column, column: column) { column += 1 }
    // A whole tag at the deviation says it best; the first may be mixed, so look at the one after it too.
    let first = column / ProofTag.byteCount
    for group in first...first + 1 where (group + 1) * ProofTag.byteCount <= shape.width {
      if let found = tag(in: bytes, at: offset + group * ProofTag.byteCount),
        found.frame != expected || found.row != row
      {
        return found.frame
      }
    }
    return neighbours(of: expected).first { other in
      bytes.isTag(ProofTag(frame: other, plane: 0, row: row), at: offset + column, column: column)
    }
  }

  /// The frames around one, nearest first: within these every single byte tells the frame.
  private static func neighbours(of frame: UInt32) -> [UInt32] {
    (1...14).flatMap { [frame &+ $0, frame &- $0] }
  }

  private static func tag(in bytes: borrowing Span<UInt8>, at offset: Int) -> (frame: UInt32, row: Int)? {
    ProofTag.readLuma(low: bytes.word(at: offset), high: bytes.word(at: offset + 8))
  }
}
