import Foundation
import ReplayKit

/// The app of an extension, for the check. It listens on the socket `app` in its group's container, and writes a JSON line
/// for each event. The program runs as this app if its file is named ProbeApp.
enum ProbeApp {
  static func run() -> Never {
    observe("UIApplicationDidEnterBackgroundNotification")
    observe("UIApplicationWillEnterForegroundNotification")
    observe("UIApplicationDidReceiveMemoryWarningNotification")
    Thread.detachNewThread { listen() }
    while true { RunLoop.main.run() }
  }

  private static func observe(_ name: String) {
    // UNSAFE: the observer is nil, so no object has to outlive the call.
    unsafe CFNotificationCenterAddObserver(
      CFNotificationCenterGetDarwinNotifyCenter(), nil,
      { _, _, name, _, _ in ProbeApp.write("notified", name?.rawValue ?? "") }, name as CFString, nil,
      .deliverImmediately)
  }

  /// Listens, and listens again after iOS has reclaimed the socket.
  private static func listen() {
    let environment = ProcessInfo.processInfo.environment
    let path = "\(environment["BROADCAST_CONTAINER"] ?? "")/\(environment["BROADCAST_GROUP"] ?? "")/app"
    while true {
      // UNSAFE: the path is lent to the call as a C string.
      unsafe unlink(path)
      let listener = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
      // UNSAFE: the call reads the address.
      let isBound = unsafe SocketHandler.withAddress(path, { unsafe Darwin.bind(listener, $0, $1) }) == 0
      guard isBound, Darwin.listen(listener, 8) == 0 else { exit(1) }
      write("listening", path)
      while true {
        let connection = unsafe Darwin.accept(listener, nil, nil)
        guard connection >= 0 else { break }
        Thread.detachNewThread {
          var bytes = [UInt8](repeating: 0, count: 65_536)
          // UNSAFE: the call fills the array at most.
          while unsafe bytes.withUnsafeMutableBytes({
            unsafe Darwin.recv(connection, $0.baseAddress, $0.count, 0)
          }) > 0 {}
          Darwin.close(connection)
        }
      }
      write("reclaimed", path)
      Darwin.close(listener)
    }
  }

  private static func write(_ event: String, _ text: String) {
    FileHandle.standardOutput.write(Data("{\"event\":\"\(event)\",\"text\":\"\(text)\"}\n".utf8))
  }
}
