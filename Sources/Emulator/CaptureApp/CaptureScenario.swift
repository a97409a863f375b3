import CommandLineSupport
import RunReports

/// A known failure of apps that capture by ScreenCaptureKit: what happens, and how the app is judged.
struct CaptureScenario: Sendable {
  let name: String
  /// What is checked, as a sentence.
  let checks: String
  /// What a failure means on a phone.
  let onDevice: String
  /// The options of the app's launch.
  let arguments: [String]
  /// Whether the app's speed is judged, so that nothing runs beside it.
  var isAlone = false
  /// Whether what `judge` finds does not depend on times.
  var isCertain = false
  /// What the app must have begun to capture to be judged.
  var needs = Need.stream
  /// What is wrong, as a sentence; `nil` if nothing is.
  var judge: @Sendable (CapturedEvent) -> String? = { _ in nil }

  enum Need: Sendable { case nothing, stream, frames }

  private static let survives = "A crash here ends the app, and the call with it."

  static let all: [CaptureScenario] = [
    CaptureScenario(
      name: "start", checks: "The app shows the picker, starts a stream and gets frames or audio.",
      onDevice: "Nothing is shared.", arguments: ["--duration=3s"]),
    CaptureScenario(
      name: "pace", checks: "The app keeps up with 60 frames a second.",
      onDevice: "The call shows fewer frames, and they are old.",
      arguments: ["--duration=5s"], isAlone: true, needs: .frames,
      judge: {
        let total = $0.framesDelivered + $0.framesDropped
        guard $0.framesDropped * 20 > total else { return nil }
        return
          "\($0.framesDropped) of \(total) frames were dropped: a call with a frame takes \($0.handlerMs.p50.text(decimals: 1)) ms "
          + "at the median, and a frame comes every 16.7 ms."
      }),
    CaptureScenario(
      name: "picker-cancel", checks: "The person closes the picker.", onDevice: survives,
      arguments: ["--picker=cancel", "--duration=2s"], needs: .nothing),
    CaptureScenario(
      name: "picker-declined", checks: "The person does not allow the capture.", onDevice: survives,
      arguments: ["--picker=declined", "--duration=2s"], needs: .nothing),
    CaptureScenario(
      name: "picker-fails", checks: "The picker cannot be shown.", onDevice: survives,
      arguments: ["--picker=fails", "--duration=2s"], needs: .nothing),
    CaptureScenario(
      name: "user-stop", checks: "The person stops the capture at the indicator.", onDevice: survives,
      arguments: ["--at=1s stop", "--duration=3s"]),
    CaptureScenario(
      name: "system-stop", checks: "The system stops the stream.", onDevice: survives,
      arguments: ["--at=1s error:systemStoppedStream", "--duration=3s"]),
    CaptureScenario(
      name: "second-start", checks: "After the person's stop the app shares again.",
      onDevice: "The person must end the app to share again.",
      arguments: ["--at=1s stop", "--at=2s start-again", "--duration=5s"],
      judge: {
        $0.starts > 1
          ? nil
          : "The second start led to no stream: the app was asked to share again, and started none."
      }),
    CaptureScenario(
      name: "idle", checks: "The screen rests: samples have the status idle and no picture.",
      onDevice:
        "A Mac delivers such samples when the screen rests, and an app that expects a picture in each crashes. A phone is not known.",
      arguments: ["--at=1s still:1", "--duration=3s"], needs: .frames),
    CaptureScenario(
      name: "rotation", checks: "The phone turns in all directions.", onDevice: survives,
      arguments: ["--at=1s rotate:left", "--at=1.3s rotate:down", "--at=1.6s rotate:right", "--duration=3s"],
      needs: .frames),
    CaptureScenario(
      name: "background", checks: "The capture goes on when the app leaves the screen.",
      onDevice: "The share ends when the person opens another app.",
      arguments: ["--at=1s background", "--at=2s foreground", "--duration=3s"], isCertain: true,
      judge: {
        $0.endingCode == -3824
          ? "The stream ended with missingBackgroundMode, -3824: add screen-capture to UIBackgroundModes."
          : nil
      }),
    CaptureScenario(
      name: "lock", checks: "The phone is locked and unlocked.", onDevice: survives,
      arguments: ["--at=1s lock:pause", "--at=2s unlock", "--duration=3s"]),
    CaptureScenario(
      name: "call", checks: "A phone call takes the audio.", onDevice: survives,
      arguments: ["--picker-microphone", "--at=1s call", "--at=2s hangup", "--duration=3s"]),
    CaptureScenario(
      name: "protected", checks: "The screen shows protected content: black frames with the status blank.",
      onDevice: survives, arguments: ["--at=1s protected:1", "--duration=3s"], needs: .frames),
  ]
}
