import Foundation
import ReplayKit

/// The header that precedes a frame's pixels: five numbers of four bytes, most significant byte first.
public struct FrameHeader: Equatable {
  /// The width of the frame, in pixels; even.
  public var width: Int
  /// The height of the frame, in pixels; even.
  public var height: Int
  /// The orientation of the frame, 1 to 8, as in `CGImagePropertyOrientation`.
  public var orientation: Int
  /// The checksum of the pixels when the sample arrived.
  public var checksum: UInt32

  /// The bytes of a header.
  public static let byteCount = 20

  /// The number of pixel bytes that follow.
  public var payload: Int { width * height * 3 / 2 }

  /// Creates the header of a video sample, and reads its pixels; `nil` for a sample without a frame of two planes.
  public init?(_ sample: CMSampleBuffer) {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sample),
      CVPixelBufferGetPlaneCount(pixelBuffer) == 2
    else { return nil }
    (width, height) = (CVPixelBufferGetWidth(pixelBuffer), CVPixelBufferGetHeight(pixelBuffer))
    let key = RPVideoSampleOrientationKey as CFString
    orientation = CMGetAttachment(sample, key: key, attachmentModeOut: nil)?.intValue ?? 1
    var checksum = Checksum()
    forEachRow(of: pixelBuffer) { checksum.add($0) }
    self.checksum = checksum.value
  }

  /// Parses the header in `bytes`; `nil` if they are not the header of a frame that an app can accept.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    let numbers = (0..<5).map { index in
      bytes[index * 4..<index * 4 + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    guard numbers[0] == Self.magic, 2...8192 ~= numbers[1], 2...8192 ~= numbers[2], 1...8 ~= numbers[3],
      numbers[1] % 2 == 0, numbers[2] % 2 == 0
    else { return nil }
    (width, height, orientation) = (Int(numbers[1]), Int(numbers[2]), Int(numbers[3]))
    checksum = numbers[4]
  }

  /// Whether `pixels`, the rows without padding, have the checksum of the header.
  public func isChecksum(of pixels: [UInt8]) -> Bool {
    var checksum = Checksum()
    pixels.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: width) {
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + width]))
      }
    }
    return checksum.value == self.checksum
  }

  /// The header as bytes.
  public var bytes: [UInt8] {
    [Self.magic, UInt32(width), UInt32(height), UInt32(orientation), checksum].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
  }

  private static let magic: UInt32 = 0x4652_414D
}

/// The checksum of a frame's rows.
private struct Checksum {
  private var hash: UInt64 = 14_695_981_039_346_656_037

  var value: UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }

  /// Adds a row. It adds words instead of bytes, because a debug build has 16 ms per frame.
  mutating func add(_ row: UnsafeRawBufferPointer) {
    for offset in stride(from: 0, to: row.count & ~7, by: 8) {
      hash = (hash ^ row.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 1_099_511_628_211
    }
    for byte in row.suffix(row.count & 7) { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
  }
}

/// Calls `body` with each row of luma and then of chroma, without padding. Locks the buffer for this time.
public func forEachRow(
  of pixelBuffer: CVPixelBuffer, _ body: (UnsafeRawBufferPointer) throws -> Void
) rethrows {
  CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
  defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
  for plane in 0..<CVPixelBufferGetPlaneCount(pixelBuffer) {
    guard let base = CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, plane) else { continue }
    // A row in memory is longer than a row of the frame.
    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(pixelBuffer, plane)
    let rowBytes = CVPixelBufferGetWidthOfPlane(pixelBuffer, plane) * (plane == 0 ? 1 : 2)
    for row in 0..<CVPixelBufferGetHeightOfPlane(pixelBuffer, plane) {
      try body(UnsafeRawBufferPointer(start: base + row * bytesPerRow, count: rowBytes))
    }
  }
}
