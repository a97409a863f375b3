import CommandLineSupport
import CoreVideo
import Foundation
import PictureFormats
import PixelAccess

/// What a comparison shows: a table, promises, and the page of a report.
extension RecordingComparison {
  /// The lowest values that the person accepts; `nil` for no limit.
  package struct Limits: Equatable, Sendable {
    package var psnr: Double?
    package var ssim: Double?

    package init(psnr: Double? = nil, ssim: Double? = nil) { (self.psnr, self.ssim) = (psnr, ssim) }
  }

  /// The figures as lines for a person.
  package var text: String {
    let figures = QualityEvent(self)
    let counts =
      "\(figures.compared) compared, \(figures.missing) missing, \(figures.repeated) repeated, "
      + "\(figures.outOfOrder) out of order, \(figures.unread) not read, "
      + "\(figures.notInReference) not in the reference"
    var rows = [
      ("reference", Self.text(of: reference)),
      ("decoded", Self.text(of: decoded) + (isScaled ? "; compared at this size" : "")),
      ("matched by", matching.basis == .number ? "the number in the picture" : "order"),
      ("frames", counts),
      ("psnr", Self.text(of: figures.psnr, decimals: 2) + " dB"),
      ("ssim", Self.text(of: figures.ssim, decimals: 4)),
      ("max_repeated", "\(figures.maxRepeated)"), ("max_skipped", "\(figures.maxSkipped)"),
      ("worst", Self.text(of: worst)),
    ]
    if levels == .stored {
      let (stated, other) = decoded.header.range == .full ? ("full", "limited") : ("limited", "full")
      rows.append(
        (
          "levels",
          "\(decoded.path) states \(stated) range, and its samples have \(other) range; compared as stored"
        ))
    }
    return rows.map { name, value in
      name.padding(toLength: 14, withPad: " ", startingAt: 0) + value
    }.joined(separator: "\n")
  }

  private static func text(of recording: Recording) -> String {
    let rate = recording.framesPerSecond.map { ", \($0.text(decimals: 2)) fps" } ?? ""
    return "\(recording.path): \(recording.header.width)x\(recording.header.height)\(rate), "
      + "\(recording.frameCount) frames"
  }

  private static func text(of figure: QualityEvent.Figure, decimals: Int) -> String {
    "mean \(figure.mean.text(decimals: decimals)), p5 \(figure.p5.text(decimals: decimals)), "
      + "min \(figure.min.text(decimals: decimals))"
  }

  private static func text(of frame: Frame) -> String {
    let number = frame.number.map { " (number \($0))" } ?? ""
    return "frame \(frame.index)\(number): \(frame.quality.psnr.text(decimals: 2)) dB, "
      + "ssim \(frame.quality.ssim.text(decimals: 4))"
  }

  /// The promises that the limits ask for, judged.
  package func promises(_ limits: Limits) -> [Promise] {
    let figures = QualityEvent(self)
    func judge(_ name: String, _ mean: Double, _ limit: Double?, _ unit: String, decimals: Int) -> Promise {
      guard let limit else {
        return Promise(
          name, "The mean \(name.uppercased()) reaches its limit.",
          .notJudged("--min-\(name) sets no limit; the mean is \(mean.text(decimals: decimals))\(unit)"))
      }
      let text = "\(mean.text(decimals: decimals))\(unit), at least \(limit.text(decimals: decimals))\(unit)"
      let isKept = mean >= limit
      return Promise(
        name, "The mean \(name.uppercased()) is at least \(limit.text(decimals: decimals))\(unit).",
        isKept ? .kept(text) : .broken("The mean is \(text) was expected."),
        meaning: "The far end sees a coarse picture.")
    }
    return [
      judge("psnr", figures.psnr.mean, limits.psnr, " dB", decimals: 2),
      judge("ssim", figures.ssim.mean, limits.ssim, "", decimals: 4),
    ]
  }

  /// Why the comparison fails; `nil` if it keeps the limits.
  package func failure(_ limits: Limits) -> ProgramFailure? {
    let broken = promises(limits).filter(\.isBroken)
    guard !broken.isEmpty else { return nil }
    let sentences = broken.map { "\($0.name): \($0.figures)" }.joined(separator: " ")
    return ProgramFailure(
      .verificationFailed,
      "\(decoded.path) is too coarse. \(sentences) Look at the worst frames with --report FILE.")
  }

  /// Adds the figures, the plots over time and the worst frames to a report.
  package func add(to page: inout ReportPage, _ limits: Limits) {
    page.section("Figures")
    page.add(
      rows: text.split(separator: "\n").map { line in
        [
          String(line.prefix(14)).trimmingCharacters(in: .whitespaces), String(line.dropFirst(14)),
        ]
      })
    page.section("The whole recording")
    page.add(plot("PSNR", "dB", limits.psnr) { $0.psnr })
    page.add(plot("SSIM", "1 is equal", limits.ssim) { $0.ssim })
    page.section("Worst frames")
    for (name, worst) in [("Lowest PSNR", worstPSNR), ("Lowest SSIM", worstSSIM)] {
      guard let worst, name == "Lowest PSNR" || worst.frame.index != worstPSNR?.frame.index else { continue }
      add(worst.reference, "\(name), reference. \(Self.text(of: worst.frame))", to: &page)
      add(worst.decoded, "\(name), decoded.", to: &page)
    }
  }

  private func plot(
    _ title: String, _ unit: String, _ limit: Double?, value: (PictureQuality) -> Double
  ) -> LinePlot {
    let rate = decoded.framesPerSecond ?? reference.framesPerSecond ?? 1
    return LinePlot(
      title: title, unit: unit,
      series: [
        LinePlot.Series(title, frames.map { (Double($0.index) / rate, value($0.quality)) })
      ], limit: limit.map { ("limit", $0) }, duration: Double(decoded.frameCount) / rate)
  }

  private func add(_ picture: CVPixelBuffer, _ caption: String, to page: inout ReportPage) {
    do throws(PNGEncoder.Error) {
      page.add(png: try PNGEncoder.encode(picture), caption: caption)
    } catch {
      page.add(text: "\(caption) The picture cannot be shown: \(error).")
    }
  }
}
