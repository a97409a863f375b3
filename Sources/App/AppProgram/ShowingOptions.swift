import CommandLineSupport
import RunReports

/// The options of a program that shows a watch: its frames, its outputs, its reports, and when it ends.
package struct ShowingOptions: OptionGroup {
  package var frames = FrameOptions()
  package var report = ReportOptions()
  package var limits = LimitOptions()
  /// The PNG file that receives the last frame, or `-` for stdout.
  package var snapshot: String?

  package init() {}

  package static let options: [Option<Self>] =
    FrameOptions.options.inside(\.frames)
    + [
      .value(
        "--snapshot", "PATH", .text("a file, or - for stdout"), \.snapshot,
        help: "Write the last frame as a PNG file; with -, to stdout.")
    ]
    .under(FrameOptions.outputs)
    + ReportOptions.options.inside(\.report) + LimitOptions.options.inside(\.limits)

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    try report.finish(invocation)
  }

  package var namedFiles: [NamedFile] {
    [.writes("--y4m", frames.y4m), .writes("--snapshot", snapshot)] + report.namedFiles
  }

  /// Whether stdout carries a stream, so that messages go to stderr.
  package var streamsToStandardOutput: Bool { namedFiles.contains(where: \.isStandardOutput) }
}
