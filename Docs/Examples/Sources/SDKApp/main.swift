import ExampleSupport
import Foundation
import ScreenShareSDK
import WebRTC

// An app that uses the SDK: a track of WebRTC shows the screen. It checks as many frames as its argument states, and stops.

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30
ScreenShare.exit()
do {
  let receiver = try ScreenShareReceiver(appGroup: ScreenShare.group)
  let factory = RTCPeerConnectionFactory()
  let source = factory.videoSource()
  let track = factory.videoTrack(with: source, trackId: "screen")
  let renderer = CheckingRenderer()
  track.add(renderer)
  ScreenShare.report("listening")
  try await ScreenShareCapturer(delegate: source).capture(from: receiver) {
    renderer.descriptions.count >= wanted
  }
  guard let last = renderer.descriptions.last, renderer.descriptions.count >= wanted else {
    ScreenShare.fail("the extension ended after \(renderer.descriptions.count) frames")
  }
  ScreenShare.report("\(wanted) frames of \(last)")
} catch {
  ScreenShare.fail("\(error)")
}
