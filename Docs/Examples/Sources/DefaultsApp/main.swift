import ExampleSupport
import Foundation
import ReplayKit

extension UserDefaults {
  /// On a device: `@objc dynamic var`.
  var frames: Int { integer(forKey: "frames") }
}

// The app's side: waits until the extension has counted frames, requests its end, and prints what it has read. It observes the
// key, as `UserDefaults.didChangeNotification` is not posted for changes by another process.

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20

let defaults = UserDefaults(suiteName: ScreenShare.group)
let observation = defaults?.observe(\.frames, options: [.initial]) { defaults, _ in
  guard defaults.bool(forKey: "isBroadcasting"), defaults.frames >= wanted else { return }
  let (size, bundle) = (defaults.string(forKey: "size") ?? "", defaults.string(forKey: "bundle") ?? "")
  ScreenShare.report("\(size), brightness \(defaults.integer(forKey: "brightness")), bundle \(bundle)")
  defaults.set(true, forKey: "stopRequested")
  exit(0)
}
ScreenShare.report("observing")
ScreenShare.exit()
RunLoop.main.run()
