import CPixels
import CoreVideo
import Foundation
import PixelAccess
import Platform

/// Writes pixel buffers as PNG images with 8 bits per red, green and blue sample.
///
/// ```swift
/// try PNGEncoder.write(pixelBuffer, rotation: .quarter, to: "snapshot.png")
/// ```
///
/// Supports 420f and 420v, each with its range and the matrix of its attachment.
package enum PNGEncoder {
  package static func encode(_ pixelBuffer: CVPixelBuffer, rotation: PictureRotation = .none) throws(Error)
    -> Data
  {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard let range = SampleRange(pixelFormat: format) else { throw .pixelFormat(format) }
    let colours = ColourConversion(pixelBuffer.colourMatrix, range: range)
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let stored = pixelBuffer.planeShape(0)
    let size = rotation.uprightSize(width: stored.width, height: stored.height)
    appendChunk("IHDR", bigEndian(size.width) + bigEndian(size.height) + [8, 2, 0, 0, 0], to: &file)
    appendChunk("sRGB", [0], to: &file)
    appendChunk("IDAT", compressedRows(of: pixelBuffer, rotation, size, colours), to: &file)
    appendChunk("IEND", [], to: &file)
    return file
  }

  /// Writes the PNG file of a pixel buffer to `path`. An existing file is replaced atomically, so no reader sees a partial image.
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
        System.removeLeftover(temporary)
        throw error
      }
    } catch {
      throw .write(path: path, errno: error.code)
    }
  }

  /// Returns the upright rows in red, green and blue, filtered and compressed.
  private static func compressedRows(
    of pixels: CVPixelBuffer, _ rotation: PictureRotation, _ size: (width: Int, height: Int),
    _ colours: ColourConversion
  ) -> [UInt8] {
    let (stored, rowBytes) = (pixels.planeShape(0), size.width * 3)
    var output = [UInt8](repeating: 0, count: (rowBytes + 1) * size.height * 9 / 8 + 32)
    var row = [UInt8](repeating: 0, count: rowBytes)
    var (above, scratch) = (row, row + row + [0, 0])
    var stream = unsafe cpixels_deflate()
    func storedPixel(_ x: Int, _ y: Int) -> (x: Int32, y: Int32) {
      let pixel = rotation.storedPixel(x: x, y: y, width: stored.width, height: stored.height)
      return (Int32(pixel.x), Int32(pixel.y))
    }
    // UNSAFE: the planes are locked, and each array has the size that the functions require.
    unsafe pixels.withPlanes { planes in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe cpixels_deflate_begin(&stream, output.baseAddress)
        for y in 0..<size.height {
          let (first, next) = (storedPixel(0, y), storedPixel(1, y))
          unsafe cpixels_write_rgb(
            &planes, colours.tables, first.x, first.y, next.x - first.x, next.y - first.y, size.width, &row)
          unsafe cpixels_deflate_row(&stream, row, above, rowBytes, &scratch)
          swap(&row, &above)
        }
        unsafe cpixels_deflate_end(&stream)
      }
    }
    return Array(output.prefix(unsafe stream.count))
  }

  private static func appendChunk(_ type: String, _ content: [UInt8], to file: inout Data) {
    let body = Array(type.utf8) + content
    file.append(contentsOf: bigEndian(content.count))
    file.append(contentsOf: body)
    // UNSAFE: the call reads the bytes.
    file.append(contentsOf: bigEndian(Int(unsafe cpixels_checksum(body, body.count))))
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
