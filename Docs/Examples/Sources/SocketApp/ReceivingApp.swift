import ExampleSupport
import Foundation

/// An app that receives frames over a socket, and observes start and end through Darwin notifications.
final class ReceivingApp {
  private let frameCount: Int
  private let notifications = DarwinNotifications()
  /// Closed last, because closing it ends the extension.
  private var connection: UnixSocket?
  // Used on the main queue.
  private var hasStarted = false
  private var frames: String?

  init(frameCount: Int) { self.frameCount = frameCount }

  /// Listens; the process ends when the broadcast has ended.
  func start() throws {
    notifications.observe(.started) { [self] in
      hasStarted = true
      ScreenShare.report("notification: started")
    }
    notifications.observe(.finished) { [self] in
      ScreenShare.report("notification: finished")
      guard frameCount > 0 else { return }
      guard let frames, hasStarted else { ScreenShare.fail("the broadcast ended before its frames arrived") }
      ScreenShare.report(frames)
      exit(0)
    }
    let path = try ScreenShare.groupFolder().appendingPathComponent(ScreenShare.socketName).path
    let listener = try UnixSocket.listening(at: path)
    ScreenShare.report("listening")
    DispatchQueue.global().async {
      do { try self.receive(from: listener) } catch { ScreenShare.fail("\(error)") }
    }
  }

  private func receive(from listener: UnixSocket) throws {
    // With a frame count of 0, the app accepts whatever an extension sends until the app is killed (for a check).
    while frameCount == 0 {
      let connection = try listener.accept()
      do { while try connection.receiveFrame() != nil {} } catch {
        ScreenShare.report("the extension left: \(error)")
      }
    }
    let connection = try listener.accept()
    self.connection = connection
    var card = TestCard()
    var description = ""
    for number in 0..<frameCount {
      guard let (header, pixels) = try connection.receiveFrame() else {
        ScreenShare.fail("the extension left after \(number) frames")
      }
      let rotation = TestCard.rotation(ofOrientation: header.orientation)
      try card.check(pixels, width: header.width, height: header.height, rotation: rotation)
      description = "\(header.width)x\(header.height), orientation \(header.orientation)"
    }
    DispatchQueue.main.async { [self] in
      frames = "\(frameCount) frames of \(description)"
      self.connection = nil
    }
  }
}
