import ScreenBroadcast
import ToolSupport

/// A worker of `kill`. All workers share a container.
struct KillWorker: Worker {
  /// The role of a worker, as its name in sentences.
  enum Role: String, CaseIterable, Codable {
    case handler = "the extension"
    case watcher = "the app"
    case sleeper = "the reader that sleeps in the ring"
    case keys = "the writer of other keys"
  }

  /// The main activity of the extension. A random kill mostly hits this activity.
  enum Activity: String, Codable, CaseIterable {
    case publishing
    /// Publishes frames of increasing size; every other frame is larger than the ring.
    case growing
    /// Runs sessions of two frames, to exercise the lock, the flag and new rings.
    case restarting

    /// The widths and heights of the frames of a session.
    var sizes: [(Int, Int)] {
      switch self {
      case .publishing: Array(repeating: (640, 480), count: 500)
      case .growing:
        [(16, 16), (64, 32), (96, 96), (160, 128), (256, 192), (384, 288), (640, 480)].flatMap { [$0, $0] }
      case .restarting: [(32, 32), (32, 32)]
      }
    }
  }

  var role: Role
  var activity: Activity
  var root: String
  var group: String
  var seed: UInt64
  /// The extensions that were killed before the launch of this worker.
  var killed: [Int32]

  enum Report: Codable, Equatable, Sendable {
    /// The first frame of the extension with this process ID was delivered or read.
    case frame(from: Int32)
    /// The extension with the process ID `pid` crashed. The last poll that did not detect it began at `before`, in
    /// monotonic nanoseconds.
    case crash(pid: Int32, before: UInt64)
  }

  func run(for parent: ParentProcess<Report>) throws {
    let container = try AppGroupContainer(root: root, group: group)
    switch role {
    case .handler: try broadcast(in: container, for: parent)
    case .watcher: try watch(container, for: parent)
    case .sleeper: try sleep(in: container, for: parent)
    case .keys: try writeKeys(in: container, for: parent)
    }
  }
}
