import CommandLineSupport
import LaunchedPrograms

// An app that captures the screen by itself.
extension ScenarioRun {
  /// A scenario of a capture does not apply to an app that captured nothing, or no frames.
  func checkCapture(by process: RecordedProcess) throws(ScenarioStop) {
    guard scenario.needs == .stream || scenario.needs == .frames else { return }
    guard let captured = process.events("captured").last?.value else {
      return try report(.crash, "the app ended itself, before the phone ended it")
    }
    if captured["samplesDelivered"] == .number(0) {
      throw .doesNotApply("the app captured nothing, which is a matter of the scenario 'start'")
    }
    if scenario.needs == .frames, captured["framesDelivered"] == .number(0) {
      throw .doesNotApply("the app captures audio alone")
    }
  }
}
