import CoreMedia
import PixelAccess
import TestSupport

@testable import EmulatedSystem

/// Screen content whose drawing results are scripted by a test. A drawn frame has its number in every luma byte.
@MainActor final class ScriptedContent {
  /// The results of the next draws; `.drawn` once this is empty.
  var script: [Result<ScreenDrawing, ScreenContentError>] = []
  private(set) var numbers: [UInt64] = []

  var content: ScreenContent {
    ScreenContent(size: PixelSize(width: 18, height: 16)) { frame, pixels throws(ScreenContentError) in
      let number = frame.number
      self.numbers.append(number)
      let drawing = self.script.isEmpty ? .drawn : try self.script.removeFirst().get()
      if drawing == .drawn {
        pixels.writePlane(0) { bytes, _ in
          bytes.fill(0..<bytes.count, with: UInt8(truncatingIfNeeded: number))
        }
      }
      return drawing
    }
  }
}

let noSuchClip = ScreenContentError.noBuffer(
  PixelBufferError(code: -6662, width: 18, height: 16, pixelFormat: fullRange))

/// Returns the first sample of a new screen.
@MainActor func firstSample() throws -> CMSampleBuffer {
  let screen = try EmulatedScreen(content: ScriptedContent().content, pixelFormat: fullRange)
  var drawn: CMSampleBuffer?
  _ = try screen.drawFrame(1, at: 0) { sample, _ in
    drawn = sample
    return true
  }
  return try #require(drawn)
}
