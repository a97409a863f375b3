import EmulatedCapture
import EmulatedDevice
import EmulatedSystem
import LaunchedPrograms
import Testing
import VirtualDevice

@MainActor @Suite struct PathComparisonTests {
  private func rows(
    _ events: (Duration, String)..., change: (inout ContentCapture.Behaviour) -> Void = { _ in }
  ) async throws -> [String: PathComparison.Row] {
    let folder = try TemporaryFolder()
    var behaviour = ContentCapture.Behaviour()
    change(&behaviour)
    var screen = ScreenOptions()
    screen.device = .standard
    let script = PathComparison.Script(
      screen: screen, events: events.map(ScriptedEvent.init), duration: .seconds(4),
      behaviour: behaviour)
    let comparison = try await PathComparison.run(script, in: folder.path)
    return Dictionary(uniqueKeysWithValues: comparison.rows.map { ($0.row, $0) })
  }

  @Test func bothPathsShowWhatTheyDeliverOfOneScreen() async throws {
    let rows = try await rows((.seconds(1), "rotate:left"), (.seconds(3), "lock"))
    #expect(rows["frames"]?.replaykit == "886x1918, 420f")
    #expect(rows["frames"]?.screencapturekit == "1179x2556, 420f")
    #expect(
      rows["orientation"]?.replaykit == "up, left" && rows["orientation"]?.screencapturekit == "up, left")
    #expect(rows["app audio"]?.replaykit == "44100 Hz, 2 ch, 16-bit big-endian, 1024 frames")
    #expect(rows["app audio"]?.screencapturekit == "48000 Hz, 2 ch, float, 960 frames")
    #expect(rows["microphone"]?.screencapturekit == "none")
    #expect(rows["1s rotate:left"]?.replaykit == "60 frames in 1 s")
    #expect(rows["1s rotate:left"]?.screencapturekit == "60 frames in 1 s")
    #expect(rows["the end"]?.replaykit == "broadcastFinished")
    #expect(rows["the end"]?.screencapturekit == "systemStoppedStream, -3821")
  }

  @Test func anEventOfOnePathIsNoneOfTheOther() async throws {
    let rows = try await rows((.seconds(1), "pause"), (.seconds(2), "background")) {
      $0.backgroundModes = .none
    }
    #expect(rows["1s pause"]?.replaykit.hasPrefix("no frames") == true)
    #expect(rows["1s pause"]?.screencapturekit == "no such event")
    #expect(rows["2s background"]?.screencapturekit == "ends: missingBackgroundMode, -3824")
    #expect(rows["the end"]?.replaykit == "runs on")
  }

  @Test func aCallEndsWhatWasHeard() async throws {
    let rows = try await rows((.seconds(1), "call")) { $0.turnsMicrophoneOn = true }
    #expect(rows["1s call"]?.replaykit == "60 frames in 1 s, no app audio, no microphone")
    #expect(
      rows["1s call"]?.screencapturekit
        == "60 frames in 1 s, no app audio, no microphone (not known of a phone)")
    #expect(
      rows["the screen rests"]?.screencapturekit == "samples with the status idle (not known of a phone)")
  }
}
