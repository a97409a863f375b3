import CommandLineSupport
import RecordingQuality

/// The recordings that `quality` compares, and the lowest values that it accepts.
struct QualityOptions: OptionGroup {
  /// The reference and the decoded recording.
  var files: [String] = []
  var limits = RecordingComparison.Limits()

  static let options: [Option<Self>] = [
    .value(
      "--min-psnr", "DB", .number(in: 0...48), \.limits.psnr,
      help: "Exit with 65 if the mean PSNR is below this, 0 to 48 dB."),
    .value(
      "--min-ssim", "N", .number(in: 0...1), \.limits.ssim,
      help: "Exit with 65 if the mean SSIM is below this, 0 to 1."),
  ].under("Limits (quality)")
}
