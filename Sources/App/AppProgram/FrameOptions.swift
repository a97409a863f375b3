import CommandLineSupport
import ContainingApp
import Platform

/// The options for the frames of a watch: their size and fit, their verification, and their outputs.
package struct FrameOptions: OptionGroup {
  package var outputSize = OutputSize.fixed(width: 1080, height: 720)
  package var fit = PictureFit.crop
  package var verify = false
  /// A file, or `-` for stdout.
  package var y4m: String?
  /// The port of the page (0: a free port); `nil` for no page.
  package var serve: UInt16?

  package static let call = "Frames that enter the call"
  package static let outputs = "Other outputs"

  package init() {}

  package static let options = receiving + writing

  private static let receiving: [Option<Self>] = [
    .value(
      "--output-size", "WxH",
      OptionValue(
        "native or \(OptionValue.evenSize(in: 16...8192).expectation)",
        text: { if case .fixed(let width, let height) = $0 { "\(width)x\(height)" } else { "native" } },
        read: { text in
          if text == "native" { return .native }
          return OptionValue.evenSize(in: 16...8192).read(text).map {
            .fixed(width: $0.width, height: $0.height)
          }
        }), \.outputSize,
      help:
        "Frame size in pixels (even, 16 to 8192), or native: the screen's size, made even."
    ),
    .value(
      "--fit", "NAME", .choice, \.fit,
      help:
        "How the app fits the screen into that size: crop (fills it and cuts the rest) or contain (keeps all of it, "
        + "with bars), so that exactly this size enters the call; or webrtc (only requests the size, and the "
        + "source scales by a fraction, as on a phone: 720x1280 turns 1170x2532 into 584x1040)."),
    .flag(
      "--verify", \.verify,
      help:
        "Check every frame against the proof pattern and for its age, and the audio for gaps and offset; exit with "
        + "65 if a check fails."),
  ].under(call)

  private static let writing: [Option<Self>] = [
    .value(
      "--y4m", "PATH", .text("a file, or - for stdout"), \.y4m,
      help: "Write the frames as YUV4MPEG2; with -, to stdout (messages go to stderr)."),
    .value(
      "--serve", "PORT",
      OptionValue("a port from 0 to 65535", text: { "\($0)" }) { UInt16($0) }, \.serve, implied: "0",
      help: "Serve a page with pictures, plots and controls to browsers on this host; 0 picks a free port.",
      default: "no page"),
  ].under(outputs)
}
