import ExampleSupport
import Foundation
import ScreenShareSDK

// An app that uses the SDK: receives as many frames as its argument states, checks them, and stops.

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30
ScreenShare.exit()
do {
  let receiver = try ScreenShareReceiver(appGroup: ScreenShare.group)
  ScreenShare.report("listening")
  var card = TestCard()
  var descriptions: [String] = []
  for try await frame in receiver.frames().prefix(wanted) {
    var pixels: [UInt8] = []
    forEachRow(of: frame.pixelBuffer) { pixels += $0 }
    let (width, height) = (
      CVPixelBufferGetWidth(frame.pixelBuffer), CVPixelBufferGetHeight(frame.pixelBuffer)
    )
    try card.check(pixels, width: width, height: height)
    descriptions.append("\(width)x\(height), orientation \(frame.orientation)")
  }
  guard descriptions.count == wanted, let last = descriptions.last else {
    ScreenShare.fail("the extension ended after \(descriptions.count) frames")
  }
  ScreenShare.report("\(wanted) frames of \(last)")
} catch {
  ScreenShare.fail("\(error)")
}
