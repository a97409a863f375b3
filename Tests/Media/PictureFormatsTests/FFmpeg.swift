import Foundation
import Platform
import Testing

/// The path of ffmpeg, when there is one.
let ffmpeg: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// Decodes a file to raw frames of a pixel format by ffmpeg, through a filter.
func decodeByFFmpeg(_ path: String, pixelFormat: String, filter: String = "null") throws -> [UInt8] {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: try #require(ffmpeg))
  process.arguments = [
    "-v", "error", "-i", path, "-vf", filter, "-f", "rawvideo", "-pix_fmt", pixelFormat, "-",
  ]
  let output = Launching.makePipe()
  process.standardOutput = output
  process.standardInput = FileHandle.nullDevice
  try Launching.run(process)
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return [UInt8](data)
}
