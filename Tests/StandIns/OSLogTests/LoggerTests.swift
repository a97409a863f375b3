import Foundation
import OSLog
import Synchronization
import Testing
import os.log

/// Tests that read the log run in separate processes, because other tests log too.
@Suite struct LoggerTests {
  /// Returns the lines that `body` logs.
  private static func lines(_ body: () -> Void) -> [String] {
    let messages = LogLines()
    LogOutput.set { message in
      messages.add("\(message.subsystem)/\(message.category) \(message.type.name) \(message.text)")
    }
    defer { LogOutput.set(nil) }
    body()
    return messages.all
  }

  private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock(\.self) }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test func writesInterpolatedValuesWhateverTheirPrivacy() async {
    await #expect(processExitsWith: .success) {
      let logger = Logger(subsystem: "com.example", category: "extension")
      let (name, count, error): (String, Int, any Error) = ("a", 3, CocoaError(.fileNoSuchFile))
      let ratio = 0.5
      let all = Self.lines {
        logger.info("\(name) \(count, privacy: .public) \(ratio, format: .fixed(precision: 2))")
        logger.error("failed: \(error.localizedDescription, privacy: .private(mask: .hash))")
        logger.log(level: .debug, "\(255, format: .hex)")
      }
      #expect(all.first == "com.example/extension info a 3 0.50")
      #expect(all[1].hasPrefix("com.example/extension error failed: "))
      #expect(all.last == "com.example/extension debug ff")
    }
  }

  @Test func theAvailableMemoryIsThatOfTheMachineWithoutALimit() {
    #expect(os_proc_available_memory() > 1 << 20)
  }

  @Test func writesTheFormatsOfTheFunction() async {
    await #expect(processExitsWith: .success) {
      let log = OSLog(subsystem: "s", category: "c")
      let name = "text"
      let all = Self.lines {
        os_log("plain")
        os_log("%{public}@ and %d", log: log, type: .error, name, 5)
        os_log(.fault, log: log, "%.1f", 1.25)
        os_log(.info, log: log, "%{public}s", name)
        os_log("hidden", log: .disabled)
      }
      #expect(all == ["/ default plain", "s/c error text and 5", "s/c fault 1.2", "s/c info text"])
    }
  }
}
