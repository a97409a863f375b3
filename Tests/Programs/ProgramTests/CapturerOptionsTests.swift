import AppProgram
import EmulatedCapture
import EmulatedSystem
import TestPatterns
import TestSupport

@testable import capturer

@Suite struct CapturerOptionsTests {
  private func options(_ line: String) throws -> CapturerOptions { try CapturerOptions.program.options(line) }

  @Test func captureHasAScreenAndAScript() throws {
    let plain = try options("")
    #expect((plain.wait, plain.framesPerSecond, plain.capture) == (nil, 24, CaptureOptions()))
    #expect(plain.capture.screen.patternSize == PixelSize(width: 886, height: 1918))
    let options = try options(
      "--pattern proof --device ipad --fps 30 --verify --permission call "
        + "--at 1.5s background --at 0s start-again --y4m - --frames 9")
    let (capture, showing) = (options.capture, options.showing)
    #expect(capture.screen.patternSize == PixelSize(width: 1640, height: 2360))
    #expect((capture.screen.framesPerSecond, capture.permission) == (30, .call))
    #expect(capture.streamSchedule.isEmpty)
    #expect(capture.recorderSchedule.map(\.time) == [.milliseconds(1500), .zero])
    #expect(capture.recorderSchedule.map(\.event.text) == ["background", "start-again"])
    #expect((showing.frames.verify, showing.frames.y4m, showing.limits.frames) == (true, "-", 9))
  }

  @Test(
    arguments: RejectedCommandLine.table(
      """
      --ios 27 => --ios expects a version of iOS: 11 to 18, or 26, not '27'; from iOS 27 on an app captures with ScreenCaptureKit: 'capturer --framework screencapturekit'.
      --framework screencapturekit --ios 26 => --ios is for ReplayKit only: ScreenCaptureKit is always emulated as in iOS 27. Leave --ios out.
      --source y4m:a --y4m a => --y4m would overwrite 'a', which --source reads; name another file.
      --size 16x16 --device ipad => --size and --device cannot be combined: both set the size.
      --at 1s pause => There is no event 'pause'; the events are call, call:audio-returns, hangup, route:ROUTE, rotate:NAME, thermal:STATE, low-power:ON, network:PATH, background, foreground, interrupt, content-resize, start-again.
      --picker cancel => --picker is for ScreenCaptureKit; use --framework screencapturekit.
      --at 1s lock => 'lock' is an event of screencapturekit; use --framework screencapturekit.
      --framework screencapturekit --at 1s interrupt => 'interrupt' is an event of replaykit; use --framework replaykit.
      --framework screencapturekit --permission denied => --permission is for ReplayKit; use --picker, or --framework replaykit.
      --json --y4m - => --y4m would overwrite stdout, which --json prints; name another file.
      --container c => There is no option '--container'; use 'consumer'.
      """))
  func aWrongCommandLineIsRefusedWithOneSentence(_ refusal: RejectedCommandLine) {
    refusal.expect { try CapturerOptions.parse($0) }
  }
}
