import ExampleSupport
import Foundation

// The app's side: receives as many pictures as its argument states, checks them, and leaves.

let receiver = PictureReceiver(
  count: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20)
ScreenShare.exit()
do { try receiver.run() } catch { ScreenShare.fail("\(error)") }
