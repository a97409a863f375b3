import CoreVideo
import Foundation
import PixelAccess
import Platform

/// Writes pixel buffers as PNG images of 8-bit red, green and blue.
///
/// ```swift
/// try PNGEncoder.write(pixelBuffer, rotation: .quarter, to: "snapshot.png")
/// ```
///
/// Supports 420f and 420v, each with its range and the matrix that its attachment names.
package enum PNGEncoder {
  package static func encode(_ pixelBuffer: CVPixelBuffer, rotation: PictureRotation = .none) throws(Error)
    -> Data
  {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard let range = SampleRange(pixelFormat: format) else { throw .pixelFormat(format) }
    let stored = pixelBuffer.planeShape(0)
    let size = rotation.uprightSize(width: stored.width, height: stored.height)
    let pixels = UprightPixels(rotation: rotation, matrix: pixelBuffer.colourMatrix, range: range)
    var deflate = Deflate()
    var above = [UInt8](repeating: 0, count: size.width * 3)
    var row = above
    pixelBuffer.readPlane(0) { luma, lumaShape in
      pixelBuffer.readPlane(1) { chroma, chromaShape in
        for y in 0..<size.height {
          pixels.copyRow(y, from: luma, lumaShape, chroma, chromaShape, into: &row)
          deflate.append(filtered(row, above: above))
          swap(&row, &above)
        }
      }
    }

    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    appendChunk("IHDR", bigEndian(size.width) + bigEndian(size.height) + [8, 2, 0, 0, 0], to: &file)
    appendChunk("sRGB", [0], to: &file)
    appendChunk("IDAT", deflate.finish(), to: &file)
    appendChunk("IEND", [], to: &file)
    return file
  }

  /// Writes the PNG file of a pixel buffer to `path`. An existing file is replaced atomically: no reader sees a part of an
  /// image.
  package static func write(
    _ pixelBuffer: CVPixelBuffer, rotation: PictureRotation = .none, to path: String
  ) throws(Error) {
    let file = [UInt8](try encode(pixelBuffer, rotation: rotation))
    let temporary = "\(path).\(System.processID).\(UInt32.random(in: 0 ... .max)).tmp"
    do throws(FileError) {
      let output = try System.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
      do throws(FileError) {
        try System.write(file, to: output)
        try System.rename(temporary, to: path)
      } catch {
        // The first error is the cause; the temporary file may stay.
        do { try System.remove(temporary) } catch {}
        throw error
      }
    } catch {
      throw .write(path: path, errno: error.code)
    }
  }

  /// Returns a row as the differences to the left neighbour or to the row above, whichever has more zeros, after the
  /// number of the filter.
  private static func filtered(_ row: [UInt8], above: [UInt8]) -> [UInt8] {
    var (left, up, zeros): ([UInt8], [UInt8], Int) = ([1], [2], 0)
    for index in row.indices {
      left.append(row[index] &- (index >= 3 ? row[index - 3] : 0))
      up.append(row[index] &- above[index])
      zeros += (left[index + 1] == 0 ? 1 : 0) - (up[index + 1] == 0 ? 1 : 0)
    }
    return zeros > 0 ? left : up
  }

  private static func appendChunk(_ type: String, _ content: [UInt8], to file: inout Data) {
    let body = Array(type.utf8) + content
    file.append(contentsOf: bigEndian(content.count))
    file.append(contentsOf: body)
    file.append(contentsOf: bigEndian(Int(checksum(body))))
  }

  private static let checksums: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  /// The checksum of a chunk (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = checksums
    return ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension PNGEncoder {
  package enum Error: Swift.Error, Equatable, CustomStringConvertible {
    case pixelFormat(OSType)
    case write(path: String, errno: Int32)

    package var errno: Int32? {
      if case .write(_, let errno) = self { errno } else { nil }
    }

    package var description: String {
      switch self {
      case .pixelFormat(let format):
        "pixels of format \(format.fourCharacters) cannot be written as PNG; convert them to 420f or 420v"
      case .write(let path, let errno):
        "\(path) cannot be written (\(Errno(rawValue: errno))); name a file in a folder you may write to"
      }
    }
  }
}
