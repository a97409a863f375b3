import Foundation
import ReplayKit

// The app's side: waits until the extension has counted frames, requests its end, and prints what it has read.

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20

func readDefaults() {
  guard let defaults = UserDefaults(suiteName: "group.com.example.screenshare.dev"),
    defaults.bool(forKey: "isBroadcasting"), defaults.integer(forKey: "frames") >= wanted
  else { return }
  let (size, bundle) = (defaults.string(forKey: "size") ?? "", defaults.string(forKey: "bundle") ?? "")
  print("\(size), brightness \(defaults.integer(forKey: "brightness")), bundle \(bundle)")
  defaults.set(true, forKey: "stopRequested")
  exit(0)
}

// The object that receives the changes of other processes.
let defaults = UserDefaults(suiteName: "group.com.example.screenshare.dev")
let observation = NotificationCenter.default.addObserver(
  forName: UserDefaults.didChangeNotification, object: nil, queue: .main
) { _ in readDefaults() }
print("observing")
fflush(stdout)
DispatchQueue.main.asyncAfter(deadline: .now() + 20) { exit(2) }
RunLoop.main.run()
