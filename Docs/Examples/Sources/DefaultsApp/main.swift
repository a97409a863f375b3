import Foundation
import ReplayKit

// The app's side: waits until the extension has counted frames, requests its end, and prints what it has read.

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20
guard let defaults = UserDefaults(suiteName: "group.com.example.screenshare.dev") else { exit(1) }

NotificationCenter.default.addObserver(
  forName: UserDefaults.didChangeNotification, object: nil, queue: .main
) { _ in
  guard defaults.bool(forKey: "isBroadcasting"), defaults.integer(forKey: "frames") >= wanted else { return }
  print(
    "\(defaults.string(forKey: "size") ?? ""), brightness \(defaults.integer(forKey: "brightness")), bundle "
      + (defaults.string(forKey: "bundle") ?? ""))
  defaults.set(true, forKey: "stopRequested")
  exit(0)
}
print("observing")
fflush(stdout)
DispatchQueue.main.asyncAfter(deadline: .now() + 20) { exit(2) }
RunLoop.main.run()
