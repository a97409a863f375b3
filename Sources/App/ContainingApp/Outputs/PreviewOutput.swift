import CommandLineSupport
import PictureFormats
import WebRTC

/// Draws the picture in the terminal, a few times a second. Where there is no terminal it draws the last one.
package final class PreviewOutput: VideoOutput {
  private let stream: StandardStream
  private let interval: Int64
  private var lastDrawn: Int64?
  private var last: RTCVideoFrame?
  private var lastShape: (terminal: TerminalSize, lines: Int)?

  private static let clearScreen = "\u{1B}[2J"
  private static let cursorHome = "\u{1B}[H"
  private static let clearToEnd = "\u{1B}[K"

  /// A preview on a stream of at most `framesPerSecond` pictures a second.
  package init(on stream: StandardStream, framesPerSecond: Int64 = 10) {
    self.stream = stream
    interval = 1_000_000_000 / max(1, framesPerSecond)
  }

  /// A terminal that goes away fails nothing.
  package var failure: ProgramFailure? { nil }

  /// Draws the frame when enough time has passed since the one before.
  package func show(_ frame: RTCVideoFrame) {
    last = frame
    guard stream.isTerminal, !stream.isBusy else { return }
    // A time before the last one is no reason to wait: it may be of another producer.
    if let lastDrawn, (0..<interval).contains(frame.timeStampNs &- lastDrawn) { return }
    lastDrawn = frame.timeStampNs
    // What is below the picture, the live line, stays; the rest is cleared only when the shape changes.
    let picture = picture(of: frame)
    let lines = picture.split(separator: "\n").count
    let shape = (terminal: stream.terminalSize, lines: lines)
    let isNew = lastShape.map { $0 != shape } ?? true
    lastShape = shape
    let text = picture.replacing("\n", with: Self.clearToEnd + "\n")
    stream.write((isNew ? Self.clearScreen : "") + Self.cursorHome + text + Self.clearToEnd + "\n")
  }

  /// Draws the last frame where no terminal was.
  package func finish() {
    guard !stream.isTerminal, let last else { return }
    stream.write(picture(of: last) + "\n")
  }

  /// Two lines stay free, for the live line and the prompt.
  private func picture(of frame: RTCVideoFrame) -> String {
    guard let pixelBuffer = frame.pixelBuffer else { return "" }
    let size = stream.terminalSize
    return TerminalPicture.draw(
      pixelBuffer, rotation: PictureRotation(frame.rotation), columns: size.columns,
      rows: max(1, size.rows - 2))
  }
}
