import ExampleSupport
import Foundation

// The app's side: receives as many frames as its argument states, leaves, and observes the end of the extension. With 0 it
// receives until it is ended.

let app = ReceivingApp(frameCount: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30)
ScreenShare.exit()
do { try app.start() } catch { ScreenShare.fail("\(error)") }
RunLoop.main.run()
