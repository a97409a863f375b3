import CoreVideo
import PixelAccess
import TestPatterns
import TestSupport

/// Tests the page's reader of burned-in numbers with frames of the patterns.
@MainActor @Suite(.sharedMachine) struct BurnInReaderTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  private static let script = """
    import { readFileSync } from "node:fs";
    import { layouts, readNumber, uprightImage } from "./burn-in.mjs";
    for (const { name, width, height, rotation } of JSON.parse(readFileSync("frames.json"))) {
      const header = { width, height, rotation };
      const luma = { bytes: readFileSync(name), start: 0, rowStride: width, step: 1 };
      const image = uprightImage(luma, header);
      console.log(layouts(header, header).map((layout) => readNumber(image, layout))[0] ?? null);
    }
    """

  private struct Frame: Encodable {
    var name: String
    var width: Int
    var height: Int
    var rotation: Int
  }

  @Test(.needs(.node)) func readsTheNumberHoweverTheDeviceIsHeld() async throws {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/App/CPageFiles/Call/burn-in.js")
    try FileManager.default.copyItem(at: source, to: folder.appendingPathComponent("burn-in.mjs"))
    try Data(Self.script.utf8).write(to: folder.appendingPathComponent("read.mjs"))
    var frames: [Frame] = []
    for pattern in [TestPattern.bars, .proof, .app] {
      for rotation in PictureRotation.allCases {
        for (width, height) in [(408, 886), (640, 360), (179, 255)] {
          let painter = try PatternPainter(
            pattern, width: width, height: height, pixelFormat: fullRange, framesPerSecond: 60,
            rotation: rotation)
          let buffer = try makeFilledPicture(width, height)
          try painter.paint(frame: UInt64(1000 + frames.count), into: buffer)
          let name = "\(frames.count).luma"
          try Data(samples(buffer, plane: 0)).write(to: folder.appendingPathComponent(name))
          frames.append(Frame(name: name, width: width, height: height, rotation: rotation.rawValue))
        }
      }
    }
    try JSONEncoder().encode(frames).write(to: folder.appendingPathComponent("frames.json"))
    let run = try await FinishedProgram(
      try OptionalTool.node.required(), ["read.mjs"], in: folder.path)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").map { "\($0)" } == frames.indices.map { "\(1000 + $0)" })
  }
}
