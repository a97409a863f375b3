import TestSupport

/// Decodes a file with ffmpeg to raw frames in a pixel format, through a filter.
func decodeByFFmpeg(_ path: String, pixelFormat: String, filter: String = "null") throws -> [UInt8] {
  let process = Process()
  process.executableURL = try OptionalTool.ffmpeg.required()
  process.arguments = [
    "-v", "error", "-i", path, "-vf", filter, "-f", "rawvideo", "-pix_fmt", pixelFormat, "-",
  ]
  let output = ProcessLauncher.makePipe()
  process.standardOutput = output
  process.standardInput = FileHandle.nullDevice
  try ProcessLauncher.run(process)
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return [UInt8](data)
}
