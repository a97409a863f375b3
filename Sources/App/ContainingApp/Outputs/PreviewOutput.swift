import CommandLineSupport
import PictureFormats
import PixelAccess
import WebRTC

/// Draws frames in the terminal, a few times a second. Without a terminal it draws the last frame.
package final class PreviewOutput: NSObject, VideoOutput {
  private let stream: StandardStream
  private var scaler = FrameScaler()
  private var lastDrawn: Int64?
  private var last: RTCVideoFrame?
  private var lastShape: (terminal: TerminalSize, lines: Int)?

  /// The shortest time between two drawn frames, in nanoseconds.
  private nonisolated static let interval: Int64 = 100_000_000
  private static let clearScreen = "\u{1B}[2J"
  private static let cursorHome = "\u{1B}[H"
  private static let clearToEnd = "\u{1B}[K"

  package init(on stream: StandardStream) {
    self.stream = stream
    super.init()
  }

  package nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated {
      guard let frame else { return }
      last = frame
      guard stream.isTerminal, !stream.isBusy else { return }
      // An earlier time is drawn at once: it can be that of another producer.
      if let lastDrawn, (0..<Self.interval).contains(frame.timeStampNs &- lastDrawn) { return }
      lastDrawn = frame.timeStampNs
      // The live line below the frame stays; the screen is cleared only when the shape changes.
      let picture = picture(of: frame)
      let shape = (terminal: stream.terminalSize, lines: picture.split(separator: "\n").count)
      let isNew = lastShape.map { $0 != shape } ?? true
      lastShape = shape
      let text = picture.replacing("\n", with: Self.clearToEnd + "\n")
      stream.write((isNew ? Self.clearScreen : "") + Self.cursorHome + text + Self.clearToEnd + "\n")
    }
  }

  package func finish() {
    guard !stream.isTerminal, let last else { return }
    stream.write(picture(of: last) + "\n")
  }

  /// The frame as text, two lines shorter than the terminal: for the live line and the prompt.
  private func picture(of frame: RTCVideoFrame) -> String {
    guard let buffer = frame.buffer as? RTCCVPixelBuffer else { return "" }
    let size = stream.terminalSize
    return TerminalPicture.draw(
      scaler.pixels(of: buffer), rotation: PictureRotation(frame.rotation), columns: size.columns,
      rows: max(1, size.rows - 2))
  }
}
