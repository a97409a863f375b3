import CommandLineSupport
import CoreVideo
import PictureFormats
import PixelAccess
import TestPatterns

/// Compares a decoded recording with the recording that was encoded, frame by frame.
///
/// ```swift
/// let comparison = try RecordingComparison(reference: "sent.y4m", decoded: "received.y4m")
/// print(comparison.text)
/// ```
///
/// Each file is read twice, once for the numbers in its frames.
package struct RecordingComparison: Sendable {
  /// A file, and what its header says.
  package struct Recording: Sendable {
    package var path: String
    package var header: Y4MHeader
    package var frameCount: Int

    /// As its header states it; `nil` without a statement.
    package var framesPerSecond: Double? {
      header.frameRate.map { Double($0.numerator) / Double($0.denominator) }
    }
  }

  /// A decoded frame and its reference frame.
  package struct Frame: Sendable {
    /// Its place in the decoded recording, from 0.
    package var index: Int
    /// The number in its reference frame; `nil` without one.
    package var number: UInt64?
    package var quality: PictureQuality
  }

  /// The frame with the lowest PSNR or SSIM, with its pictures.
  package struct Worst: Sendable {
    package var frame: Frame
    package var decoded: CVPixelBuffer
    package var reference: CVPixelBuffer
  }

  /// How decoded samples are compared when the headers state different ranges: converted to the range of the reference, or as
  /// stored if that fits better. Some programs write the wrong range into the header.
  package enum Levels: String, Sendable {
    case converted, stored
  }

  package let reference: Recording
  package let decoded: Recording
  package let matching: FrameMatching
  /// The frames that were compared, in the order of the decoded recording; at least one.
  package private(set) var frames: [Frame] = []
  package private(set) var levels = Levels.converted
  package private(set) var worstPSNR: Worst?
  package private(set) var worstSSIM: Worst?

  /// Compares two Y4M files. Pictures of a smaller decoded recording are compared at its size.
  ///
  /// Throws if a file cannot be read twice or is damaged, or if the recordings do not belong together.
  package init(reference: String, decoded: String) throws(ProgramFailure) {
    let referenceFile = try RecordingFile(path: reference)
    let decodedFile = try RecordingFile(path: decoded)
    try Self.checkSizes(referenceFile, decodedFile)
    let screen = (referenceFile.header.width, referenceFile.header.height)
    let referenceNumbers = try referenceFile.readNumbers(screen: screen)
    let decodedNumbers = try decodedFile.readNumbers(screen: screen)
    self.reference = Recording(
      path: reference, header: referenceFile.header, frameCount: referenceNumbers.count)
    self.decoded = Recording(path: decoded, header: decodedFile.header, frameCount: decodedNumbers.count)
    for file in [self.reference, self.decoded] where file.frameCount == 0 {
      throw ProgramFailure(.verificationFailed, "\(file.path) has no frame; record it again.")
    }
    matching = FrameMatching(reference: referenceNumbers, decoded: decodedNumbers)
    try checkMatching(referenceNumbers, decodedNumbers)
    try compare(referenceFile, decodedFile, numbers: referenceNumbers)
    guard referenceFile.header.range != decodedFile.header.range else { return }
    var stored = self
    stored.levels = .stored
    try stored.compare(referenceFile, decodedFile, numbers: referenceNumbers)
    guard stored.meanPSNR > meanPSNR else { return }
    (levels, frames) = (stored.levels, stored.frames)
    (worstPSNR, worstSSIM) = (stored.worstPSNR, stored.worstSSIM)
  }

  private var meanPSNR: Double { frames.reduce(0) { $0 + $1.quality.psnr } / Double(frames.count) }

  /// The frame with the lowest PSNR.
  var worst: Frame {
    guard let worst = worstPSNR else { preconditionFailure("a comparison has at least one frame") }
    return worst.frame
  }

  /// Whether the decoded pictures are smaller than those of the reference.
  package var isScaled: Bool {
    (reference.header.width, reference.header.height) != (decoded.header.width, decoded.header.height)
  }

  private static func checkSizes(_ reference: RecordingFile, _ decoded: RecordingFile) throws(ProgramFailure)
  {
    let (whole, part) = (reference.header, decoded.header)
    let sizes =
      "\(reference.path) has pictures of \(whole.width)x\(whole.height) and \(decoded.path) of "
      + "\(part.width)x\(part.height)"
    for header in [whole, part]
    where min(header.width, header.height) < PictureQuality.leastSide {
      throw ProgramFailure(
        .verificationFailed,
        "\(sizes); a comparison needs \(PictureQuality.leastSide) pixels in both directions.")
    }
    guard part.width <= whole.width, part.height <= whole.height else {
      throw ProgramFailure(
        .verificationFailed,
        "\(sizes), which is larger than its reference; name the reference first, or scale the decoded recording."
      )
    }
    // An encoder rounds both sides to whole or even pixels.
    let skew = abs(part.width * whole.height - part.height * whole.width)
    guard skew <= 2 * max(whole.width, whole.height) else {
      throw ProgramFailure(
        .verificationFailed,
        "\(sizes), which have other proportions; crop or turn one of them before the comparison.")
    }
  }

  private func checkMatching(_ referenceNumbers: [UInt64?], _ decodedNumbers: [UInt64?])
    throws(ProgramFailure)
  {
    guard matching.references.contains(where: { $0 != nil }) else {
      func range(_ numbers: [UInt64?]) -> String {
        let numbers = numbers.compactMap { $0 }
        return "\(numbers.min() ?? 0) to \(numbers.max() ?? 0)"
      }
      throw ProgramFailure(
        .verificationFailed,
        "No frame number is in both recordings: \(reference.path) has \(range(referenceNumbers)) and "
          + "\(decoded.path) \(range(decodedNumbers)); name two recordings of the same broadcast.")
    }
    guard matching.basis == .order, let rate = reference.framesPerSecond,
      let otherRate = decoded.framesPerSecond
    else { return }
    guard abs(rate - otherRate) > rate / 100 else { return }
    throw ProgramFailure(
      .verificationFailed,
      "\(reference.path) has \(rate.text(decimals: 2)) frames a second and \(decoded.path) "
        + "\(otherRate.text(decimals: 2)), and without numbers in the pictures frames are compared in their order; "
        + "decode with the rate of the reference.")
  }

  private mutating func compare(
    _ referenceFile: RecordingFile, _ decodedFile: RecordingFile, numbers: [UInt64?]
  ) throws(ProgramFailure) {
    try referenceFile.rewind()
    try decodedFile.rewind()
    (frames, worstPSNR, worstSSIM) = ([], nil, nil)
    let format = referenceFile.header.pixelFormat
    let decodedFormat = levels == .converted ? format : decodedFile.header.pixelFormat
    var source = try referenceFile.makePicture(format)
    var picture = try decodedFile.makePicture(decodedFormat)
    var scaled = isScaled ? try decodedFile.makePicture(format) : source
    var scaler = NV12Scaler()
    let whole = PixelRect(x: 0, y: 0, width: reference.header.width, height: reference.header.height)
    var position = -1
    for (index, match) in matching.references.enumerated() {
      guard try decodedFile.read(into: picture) else { break }
      guard let match else { continue }
      while position < match {
        guard try referenceFile.read(into: source) else { return }
        position += 1
        if position == match, isScaled { _ = scaler.scale(source, part: whole, to: scaled) }
      }
      if !isScaled { scaled = source }
      let quality = PictureQuality(of: picture, reference: scaled)
      let frame = Frame(index: index, number: numbers[match], quality: quality)
      frames.append(frame)
      let worst = Worst(frame: frame, decoded: picture, reference: scaled)
      let hasWorstPSNR = worstPSNR.map { quality.psnr < $0.frame.quality.psnr } ?? true
      let hasWorstSSIM = worstSSIM.map { quality.ssim < $0.frame.quality.ssim } ?? true
      guard hasWorstPSNR || hasWorstSSIM else { continue }
      if hasWorstPSNR { worstPSNR = worst }
      if hasWorstSSIM { worstSSIM = worst }
      // The pictures are kept: the next ones need others. The same reference frame may come again.
      picture = try decodedFile.makePicture(decodedFormat)
      let copy = try (isScaled ? decodedFile : referenceFile).makePicture(format)
      copy.copyPlanes(of: scaled)
      if isScaled { scaled = copy } else { source = copy }
    }
  }
}

extension Y4MHeader {
  /// The format of pictures with the samples of the file.
  fileprivate var pixelFormat: OSType {
    range == .full
      ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
  }
}

/// A Y4M file that is read from its start more than once.
private struct RecordingFile {
  let path: String
  private let reader: Y4MReader

  var header: Y4MHeader { reader.header }

  init(path: String) throws(ProgramFailure) {
    self.path = path
    do throws(Y4MReader.Error) { reader = try Y4MReader(path: path) } catch { throw Self.failure(error) }
    guard reader.isSeekable else {
      throw ProgramFailure(
        .inputOutput, "\(path) is a pipe, and a recording is read twice; save it to a file and name that.")
    }
  }

  func makePicture(_ format: OSType) throws(ProgramFailure) -> CVPixelBuffer {
    do throws(PixelBufferError) {
      return try PixelBufferPool(width: header.width, height: header.height, pixelFormat: format).makeBuffer()
    } catch {
      throw ProgramFailure(.internalError, "\(error)")
    }
  }

  func read(into picture: CVPixelBuffer) throws(ProgramFailure) -> Bool {
    do throws(Y4MReader.Error) { return try reader.readFrame(into: picture) } catch {
      throw Self.failure(error)
    }
  }

  func rewind() throws(ProgramFailure) {
    do throws(Y4MReader.Error) { try reader.rewind() } catch { throw Self.failure(error) }
  }

  /// The numbers in the frames from here to the end; `nil` for a frame without one.
  func readNumbers(screen: (Int, Int)) throws(ProgramFailure) -> [UInt64?] {
    let burnIn = BurnInReader(screen: screen)
    let picture = try makePicture(header.pixelFormat)
    var numbers: [UInt64?] = []
    while try read(into: picture) { numbers.append(burnIn.number(in: picture)) }
    return numbers
  }

  private static func failure(_ error: Y4MReader.Error) -> ProgramFailure {
    error.errno.map { ProgramFailure(errno: $0, "\(error).") }
      ?? ProgramFailure(.verificationFailed, "\(error).")
  }
}
