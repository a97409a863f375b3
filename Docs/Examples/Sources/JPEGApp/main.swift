import Foundation
import ReplayKit

// The app's side: receives as many pictures as its argument states, checks them, and leaves.

let receiver = PictureReceiver(
  count: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20)
do { try receiver.run() } catch {
  FileHandle.standardError.write(Data("JPEGApp: \(error)\n".utf8))
  exit(1)
}
