import ExampleSupport
import Foundation

// The app's side: observes a broadcast that the system pauses and resumes. Then it requests a pause, the continuation and
// the end, and observes that the extension does each.

/// The expected states of the extension in this order, each with the app's action.
let steps: [(state: DarwinNotifications.Name, action: () -> Void)] = [
  (.started, {}),
  (.framesReceived, {}),
  (.paused, {}),
  (.resumed, {}),
  (.framesReceived, { DarwinNotifications.post(.pauseRequested) }),
  // Half a second in which no frames may arrive.
  (
    .paused,
    { DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { DarwinNotifications.post(.resumeRequested) } }
  ),
  (.resumed, {}),
  (.framesReceived, { DarwinNotifications.post(.stopRequested) }),
  (.finished, { exit(0) }),
]
var position = 0

let notifications = DarwinNotifications()
for state in [DarwinNotifications.Name.started, .framesReceived, .paused, .resumed, .finished] {
  notifications.observe(state) {
    let step = steps[position]
    if state == step.state {
      ScreenShare.report("step \(position + 1): \(state)")
      position += 1
      step.action()
      return
    }
    // Frames arrive all the time, except during a pause.
    let isPaused = position > 0 && steps[position - 1].state == .paused
    guard state == .framesReceived, !isPaused else {
      ScreenShare.fail("the extension posted \(state); after step \(position) the app expected \(step.state)")
    }
  }
}
ScreenShare.report("observing")
ScreenShare.exit()
RunLoop.main.run()
