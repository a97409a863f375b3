import CoreVideo
import Foundation
import PixelAccess
import TestSupport
import Testing

/// A buffer with rows longer than the picture unless they are a multiple of `alignment`, whose samples are what `sample(plane, row, column)` returns.
func makePicture(
  _ width: Int, _ height: Int, _ format: OSType = fullRange, alignment: Int = 16,
  _ sample: (Int, Int, Int) -> UInt8 = { _, _, _ in 0 }
) throws -> CVPixelBuffer {
  var made: CVPixelBuffer?
  // UNSAFE: the out parameter of the create call.
  let code = unsafe CVPixelBufferCreate(
    nil, width, height, format, [kCVPixelBufferBytesPerRowAlignmentKey: alignment], &made)
  try #require(code == kCVReturnSuccess)
  let buffer = try #require(made)
  for plane in 0..<buffer.planeCount {
    buffer.writePlane(plane) { bytes, shape in
      for row in 0..<shape.height {
        for column in 0..<shape.width * (plane + 1) {
          bytes[row * shape.bytesPerRow + column] = sample(plane, row, column)
        }
      }
    }
  }
  return buffer
}

/// The path of ffmpeg, when there is one.
let ffmpeg: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// Decodes a file to raw frames of a pixel format by ffmpeg.
func decodeByFFmpeg(_ path: String, pixelFormat: String) throws -> [UInt8] {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: try #require(ffmpeg))
  process.arguments = ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", pixelFormat, "-"]
  let output = Pipe()
  process.standardOutput = output
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return [UInt8](data)
}
