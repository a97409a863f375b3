import BroadcastTesting
import Testing

@testable import JPEGExtension

/// A handler that sends to its app, in process, with a socket in the app's place.
@Test(.broadcastTimeline) func theAppReceivesWhatTheHandlerSends() async throws {
  let broadcast = TestBroadcast(of: SampleHandler())
  let app = try AppSocket(path: broadcast.containerFolder + "/screen_fd")
  try await app.start()
  try await broadcast.start()
  // Data that a handler sends from its own thread arrives in real time.
  for _ in 0..<60 where app.byteCount.load(ordering: .relaxed) == 0 {
    try await broadcast.run(for: .milliseconds(500))
  }
  #expect(app.byteCount.load(ordering: .relaxed) > 0)
  try await broadcast.perform("stop")
  try await broadcast.finished(within: .seconds(10))
}
