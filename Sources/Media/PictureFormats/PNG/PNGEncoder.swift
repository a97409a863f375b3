import CoreVideo
import Foundation
import PixelAccess

/// Writes pixel buffers as PNG images of 8-bit red, green and blue.
///
/// ```swift
/// try PNGEncoder.write(pixelBuffer, rotation: .quarter, to: "snapshot.png")
/// ```
///
/// Supports 420f and 420v, each with its range and the BT.601 matrix at every size.
public enum PNGEncoder {
  /// Returns the PNG file of a pixel buffer, turned upright by `rotation`.
  public static func encode(_ pixelBuffer: CVPixelBuffer, rotation: PictureRotation = .none) throws(Error)
    -> Data
  {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard let range = SampleRange(pixelFormat: format) else { throw .pixelFormat(format) }
    let stored = pixelBuffer.planeShape(0)
    let size = rotation.uprightSize(width: stored.width, height: stored.height)

    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let colourType: [UInt8] = [8, 2, 0, 0, 0]
    appendChunk("IHDR", bigEndian(size.width) + bigEndian(size.height) + colourType, to: &file)
    appendChunk("sRGB", [0], to: &file)
    appendChunk("IDAT", compressedRows(of: pixelBuffer, rotation: rotation, range: range), to: &file)
    appendChunk("IEND", [], to: &file)
    return file
  }

  /// Writes the PNG file of a pixel buffer to `path`. An existing file is replaced atomically: no reader sees a part of an
  /// image.
  public static func write(
    _ pixelBuffer: CVPixelBuffer, rotation: PictureRotation = .none, to path: String
  ) throws(Error) {
    let file = [UInt8](try encode(pixelBuffer, rotation: rotation))
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
    // UNSAFE: the paths are valid for the C calls.
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .write(path: path, errno: errno) }
    do throws(FileDescriptorIO.Failure) {
      do throws(FileDescriptorIO.Failure) {
        try FileDescriptorIO.writeAll(descriptor, file.span)
      } catch {
        close(descriptor)
        throw error
      }
      guard close(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
        throw FileDescriptorIO.Failure(errno: errno)
      }
    } catch {
      unsafe unlink(temporary)
      throw .write(path: path, errno: error.errno)
    }
  }

  private static func compressedRows(
    of pixelBuffer: CVPixelBuffer, rotation: PictureRotation, range: SampleRange
  ) -> [UInt8] {
    let stored = pixelBuffer.planeShape(0)
    let size = rotation.uprightSize(width: stored.width, height: stored.height)
    var deflate = Deflate(expectedCount: (size.width * 3 + 1) * size.height)
    let pixels = UprightPixels(rotation: rotation, range: range)
    var above = [UInt8](repeating: 0, count: size.width * 3)
    var row = above
    pixelBuffer.readPlane(0) { luma, lumaShape in
      pixelBuffer.readPlane(1) { chroma, chromaShape in
        for y in 0..<size.height {
          pixels.copyRow(
            y, from: luma, lumaShape, chroma, chromaShape, into: &row)
          deflate.append(filtered(row, above: above))
          swap(&row, &above)
        }
      }
    }
    return deflate.finish()
  }

  /// Returns a row as the differences to the left neighbour or to the row above, whichever has more zeros, after the
  /// number of the filter.
  private static func filtered(_ row: [UInt8], above: [UInt8]) -> [UInt8] {
    var left: [UInt8] = [1]
    var up: [UInt8] = [2]
    left.reserveCapacity(row.count + 1)
    up.reserveCapacity(row.count + 1)
    var zeros = 0
    for index in 0..<row.count {
      let leftDifference = row[index] &- (index >= 3 ? row[index - 3] : 0)
      let upDifference = row[index] &- above[index]
      if leftDifference == 0 { zeros += 1 }
      if upDifference == 0 { zeros -= 1 }
      left.append(leftDifference)
      up.append(upDifference)
    }
    return zeros > 0 ? left : up
  }

  private static func appendChunk(_ type: String, _ content: [UInt8], to file: inout Data) {
    let body = Array(type.utf8) + content
    var checksum = CRC32()
    checksum.update(body)
    file.append(contentsOf: bigEndian(content.count))
    file.append(contentsOf: body)
    file.append(contentsOf: bigEndian(Int(checksum.value)))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension PNGEncoder {
  /// An error of the encoder.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The pixel format is neither 420f nor 420v.
    case pixelFormat(OSType)
    /// The file cannot be written.
    case write(path: String, errno: Int32)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .pixelFormat: nil
      case .write(_, let errno): errno
      }
    }

    /// One sentence with the cause and the remedy.
    public var description: String {
      switch self {
      case .pixelFormat(let format):
        "pixels of format \(format.fourCharacters) cannot be written as PNG; convert them to 420f or 420v"
      case .write(let path, let errno):
        "\(path) cannot be written (\(FileDescriptorIO.text(errno))); name a file in a folder you may write to"
      }
    }
  }
}

/// The checksum of a PNG chunk (ISO 3309).
private struct CRC32 {
  private var state: UInt32 = ~0

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  /// The checksum of all bytes so far.
  var value: UInt32 { ~state }

  mutating func update(_ bytes: [UInt8]) {
    let table = Self.table
    var state = state
    for byte in bytes { state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
    self.state = state
  }
}
