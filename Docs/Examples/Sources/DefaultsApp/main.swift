import ExampleSupport
import Foundation
import ReplayKit

// The app's side: waits until the extension has counted frames, requests its end, and prints what it has read.

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20

// The object that receives the changes of other processes.
let defaults = UserDefaults(suiteName: ScreenShare.group)
let observation = NotificationCenter.default.addObserver(
  forName: UserDefaults.didChangeNotification, object: nil, queue: .main
) { _ in
  guard let defaults = UserDefaults(suiteName: ScreenShare.group), defaults.bool(forKey: "isBroadcasting"),
    defaults.integer(forKey: "frames") >= wanted
  else { return }
  let (size, bundle) = (defaults.string(forKey: "size") ?? "", defaults.string(forKey: "bundle") ?? "")
  ScreenShare.report("\(size), brightness \(defaults.integer(forKey: "brightness")), bundle \(bundle)")
  defaults.set(true, forKey: "stopRequested")
  exit(0)
}
ScreenShare.report("observing")
ScreenShare.exit()
RunLoop.main.run()
