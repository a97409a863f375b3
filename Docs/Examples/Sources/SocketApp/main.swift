import ExampleSupport
import Foundation
import ReplayKit
import ScreenBroadcast

// The app's side: receives as many frames as its argument states, exits, and observes the end of the extension.

let app = ReceivingApp(frameCount: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30)
app.start()
RunLoop.main.run()
