import CoreVideo
import EmulatedSystem
import PixelAccess
import TestSupport

/// A screen whose next frames a test decides. A drawn frame has its number in every luma byte.
final class ScriptedContent: ScreenContent {
  let width: Int
  let height: Int
  /// The next frames; `.drawn` once this is empty.
  var script: [Result<ScreenDrawing, ScreenContentError>] = []
  private(set) var numbers: [UInt64] = []

  init(width: Int = 18, height: Int = 16) {
    self.width = width
    self.height = height
  }

  func draw(
    frame number: UInt64, into pixelBuffer: CVPixelBuffer
  ) throws(ScreenContentError) -> ScreenDrawing {
    numbers.append(number)
    let drawing = script.isEmpty ? .drawn : try script.removeFirst().get()
    if drawing == .drawn {
      pixelBuffer.writePlane(0) { bytes, _ in
        bytes.fill(0..<bytes.count, with: UInt8(truncatingIfNeeded: number))
      }
    }
    return drawing
  }
}

let noSuchClip = ScreenContentError.noBuffer(
  PixelBufferError(code: -6662, width: 18, height: 16, pixelFormat: fullRange))
