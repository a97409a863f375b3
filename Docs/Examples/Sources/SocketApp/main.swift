import Foundation
import ReplayKit
import ScreenBroadcast
import SocketWire

// The app's side: takes as many frames as its argument says, leaves, and hears the extension end.

let app = ReceivingApp(frameCount: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30)
app.start()
RunLoop.main.run()
