import CommandLineSupport
import PictureFormats

/// The JSON event of `consumer quality`.
package struct QualityEvent: JSONEvent, Equatable {
  package static let event = "quality"

  /// A figure over all frames that were compared.
  package struct Figure: Encodable, Equatable, Sendable {
    package let mean: Double
    /// The value that 5 % of the frames do not reach.
    package let p5: Double
    package let min: Double

    /// The figure of at least one value.
    init(_ values: [Double]) {
      let sorted = values.sorted()
      mean = values.reduce(0, +) / Double(values.count)
      p5 = sorted[sorted.count / 20]
      min = sorted[0]
    }
  }

  package let reference: String
  package let decoded: String
  package let matchedBy: String
  package let levels: String
  package let width: Int
  package let height: Int
  package let referenceFrames: Int
  package let frames: Int
  package let compared: Int
  package let missing: Int
  package let repeated: Int
  package let outOfOrder: Int
  package let unread: Int
  package let notInReference: Int
  package let maxRepeated: Int
  package let maxSkipped: Int
  package let psnr: Figure
  package let ssim: Figure
  /// The place of the frame with the lowest PSNR in the decoded recording, from 0.
  package let worstFrame: Int
  package var worstNumber: UInt64?

  /// The names of WebRTC's frame analyzer where it has the value.
  private enum CodingKeys: String, CodingKey {
    case reference, decoded, matchedBy, levels, width, height, referenceFrames, frames, compared, missing
    case repeated, outOfOrder, unread, notInReference, psnr, ssim, worstFrame, worstNumber
    case maxRepeated = "max_repeated"
    case maxSkipped = "max_skipped"
  }

  package init(_ comparison: RecordingComparison) {
    let matching = comparison.matching
    (reference, decoded) = (comparison.reference.path, comparison.decoded.path)
    (matchedBy, levels) = (matching.basis.rawValue, comparison.levels.rawValue)
    (width, height) = (comparison.decoded.header.width, comparison.decoded.header.height)
    (referenceFrames, frames) = (comparison.reference.frameCount, comparison.decoded.frameCount)
    compared = comparison.frames.count
    (missing, repeated, outOfOrder) = (matching.missing, matching.repeated, matching.outOfOrder)
    (unread, notInReference) = (matching.unread, matching.notInReference)
    (maxRepeated, maxSkipped) = (matching.maxRepeated, matching.maxSkipped)
    psnr = Figure(comparison.frames.map(\.quality.psnr))
    ssim = Figure(comparison.frames.map(\.quality.ssim))
    worstFrame = comparison.worst.index
    worstNumber = comparison.worst.number
  }
}
