import ExampleSupport
import Foundation

// The app's side: reads the mapped file at each notification, checks as many frames as its argument states, requests the
// end, and waits for it.

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30

final class FrameReader {
  private let path: String
  private var file: FrameFile?
  private var card = TestCard()
  private var last: FrameHeader?
  private var count = 0

  init(path: String) { self.path = path }

  /// Reads the newest frame. Notifications of several frames may arrive as a single one, and a notification may arrive for a
  /// frame that was already read.
  func read() {
    do {
      let file = try self.file ?? FrameFile(reading: path)
      self.file = file
      guard count < wanted, let (header, pixels) = try file.read(), header != last else { return }
      guard header.isChecksum(of: pixels) else { ScreenShare.fail("frame \(count) is torn") }
      let rotation = TestCard.rotation(ofOrientation: header.orientation)
      try card.check(pixels, width: header.width, height: header.height, rotation: rotation)
      last = header
      count += 1
      guard count == wanted else { return }
      ScreenShare.report(
        "\(count) frames of \(header.width)x\(header.height), orientation \(header.orientation)")
      DarwinNotifications.post(.stopRequested)
    } catch {
      ScreenShare.fail("\(error)")
    }
  }

  /// Ends the app after the extension has ended.
  func finish() {
    guard count == wanted else { ScreenShare.fail("the extension ended after \(count) frames") }
    exit(0)
  }
}

let reader = FrameReader(path: try ScreenShare.groupFolder().appendingPathComponent("frame.map").path)
let notifications = DarwinNotifications()
notifications.observe(.frameWritten) { reader.read() }
notifications.observe(.finished) { reader.finish() }
ScreenShare.report("observing")
ScreenShare.exit()
RunLoop.main.run()
