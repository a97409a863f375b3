import CommandLineSupport
import Foundation
import RecordingQuality

extension ConsumerProgram {
  /// Compares the two recordings of the options, and exits.
  func compare(_ options: ConsumerOptions) throws(ProgramFailure) {
    try options.report.check()
    let (start, clock) = (Date(), ContinuousClock())
    let startTime = clock.now
    let comparison = try RecordingComparison(
      reference: options.quality.files[0], decoded: options.quality.files[1])
    let console = console(options)
    if let lines = options.common.jsonLines {
      try lines.write(QualityEvent(comparison))
    } else {
      console.say(comparison.text)
    }
    let limits = options.quality.limits
    try options.report.write(
      comparison.promises(limits), title: "consumer quality", commandLine: CommandLine.arguments,
      start: start, duration: clock.now - startTime, console: console
    ) { comparison.add(to: &$0, limits) }
    ConsumerOptions.program.exit(comparison.failure(limits))
  }
}
