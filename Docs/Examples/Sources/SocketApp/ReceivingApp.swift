import ExampleSupport
import Foundation
import ReplayKit
import ScreenBroadcast

/// An app that receives frames over a socket, and learns of start and end by Darwin notifications.
final class ReceivingApp: @unchecked Sendable {
  // Why unchecked: what changes does so on the main queue.
  private let frameCount: Int
  private var hasStarted = false
  private var frames: (count: Int, description: String)?

  init(frameCount: Int) { self.frameCount = frameCount }

  /// Listens; the process ends when the broadcast has, or after 20 seconds.
  func start() {
    observe(Meeting.started) { app in
      app.hasStarted = true
      print("notification: started")
    }
    observe(Meeting.finished) { app in
      print("notification: finished")
      app.leave()
    }
    do {
      let container = try AppGroupContainer(group: Meeting.group)
      try container.prepare()
      let listener = try UnixSocket.listening(at: container.folder + "/" + Meeting.socketName)
      print("listening")
      fflush(stdout)
      DispatchQueue.global().async { self.receive(from: listener) }
    } catch {
      fail("\(error)")
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 20) { self.fail("nothing ended within 20 seconds") }
  }

  /// Observes in the way of Core Foundation, whose callback captures nothing and finds its object by a pointer.
  private func observe(_ name: String, _ action: @escaping (ReceivingApp) -> Void) {
    actions[name] = action
    CFNotificationCenterAddObserver(
      CFNotificationCenterGetDarwinNotifyCenter(), Unmanaged.passUnretained(self).toOpaque(),
      { _, observer, name, _, _ in
        guard let observer, let name else { return }
        let app = Unmanaged<ReceivingApp>.fromOpaque(observer).takeUnretainedValue()
        app.actions[name.rawValue as String]?(app)
      }, name as CFString, nil, .deliverImmediately)
  }

  private var actions: [String: (ReceivingApp) -> Void] = [:]

  private func receive(from listener: UnixSocket) {
    do {
      let connection = try listener.accept()
      var frames = Set<[UInt8]>()
      var description = ""
      for number in 0..<frameCount {
        guard let start = try connection.receive(FrameHeader.byteCount) else {
          return fail("the extension left after \(number) frames")
        }
        guard let header = FrameHeader(start) else { return fail("frame \(number) begins with \(start)") }
        guard let bytes = try connection.receive(Int(header.length)) else {
          return fail("frame \(number) has no pixels")
        }
        frames.insert(bytes)
        description = "\(header.width)x\(header.height), orientation \(header.orientation)"
      }
      // The test pattern moves: every frame differs.
      guard frames.count == frameCount else { return fail("only \(frames.count) frames differ") }
      DispatchQueue.main.async { [description] in self.frames = (self.frameCount, description) }
      // Only now: the extension cannot send any more, and ends.
      withExtendedLifetime(connection) {}
    } catch {
      fail("\(error)")
    }
  }

  private func leave() {
    guard let frames, hasStarted else { return fail("the broadcast ended before its frames had come") }
    print("\(frames.count) frames of \(frames.description)")
    exit(0)
  }

  private func fail(_ reason: String) {
    FileHandle.standardError.write(Data("SocketApp: \(reason)\n".utf8))
    exit(1)
  }
}
