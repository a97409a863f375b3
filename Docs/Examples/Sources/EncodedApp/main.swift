import ExampleSupport
import Foundation

// The app's side: receives H.264 until an encoder has replaced the first one, decodes it with ffmpeg and checks each
// picture.

/// The number of frames to receive from the second encoder, beginning with its key frame.
let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20

func receive() throws -> (stream: Data, frames: Int, keyFrames: Int) {
  let folder = try ScreenShare.groupFolder()
  let listener = try UnixSocket.listening(at: folder.appendingPathComponent(ScreenShare.socketName).path)
  ScreenShare.report("listening")
  let connection = try listener.accept()
  var (stream, frames, keyFrames, framesOfSecond) = (Data(), 0, 0, 0)
  while framesOfSecond < count, let length = try connection.receive(4) {
    guard let unit = try connection.receive(length.reduce(0) { $0 << 8 | Int($1) }) else { break }
    stream += unit
    frames += 1
    if frames == 1 { ScreenShare.report("receiving") }
    // A key frame begins with its sequence parameter set.
    if unit.starts(with: [0, 0, 0, 1]), unit[4] & 31 == 7 { keyFrames += 1 }
    if keyFrames > 1 { framesOfSecond += 1 }
  }
  return (stream, frames, keyFrames)
}

/// Decodes a stream to 420f frames without padding, one after the other.
func decode(_ stream: Data) throws -> Data {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  // A leftover is in the temporary folder.
  defer { try? FileManager.default.removeItem(at: folder) }
  let (input, output) = (
    folder.appendingPathComponent("video.h264"), folder.appendingPathComponent("video.nv12")
  )
  try stream.write(to: input)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments =
    ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "h264", "-i", input.path]
    // The frames are counted, so no frame may be dropped or repeated for its time.
    + ["-vf", "setpts=N/25/TB,scale=out_range=pc", "-r", "25", "-pix_fmt", "nv12", "-f", "rawvideo"]
    + [output.path]
  try process.run()
  process.waitUntilExit()
  return try Data(contentsOf: output)
}

ScreenShare.exit()
do {
  let (width, height) = (320, 240)
  let received = try receive()
  let pixels = try decode(received.stream)
  let size = width * height * 3 / 2
  var card = TestCard()
  for start in stride(from: 0, to: pixels.count, by: size) {
    try card.check([UInt8](pixels[start..<min(start + size, pixels.count)]), width: width, height: height)
  }
  guard pixels.count == received.frames * size else {
    ScreenShare.fail("\(received.frames) frames arrived, \(pixels.count / size) were decoded")
  }
  ScreenShare.report("all frames of 320x240 show the screen, \(received.keyFrames) key frames")
} catch {
  ScreenShare.fail("\(error)")
}
