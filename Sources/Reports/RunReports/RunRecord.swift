import CommandLineSupport
import Foundation

/// A run as its report shows it. The page is made from records, and has them in it: a report that is written to the same file
/// later joins them.
package struct RunRecord: Codable, Sendable {
  /// A sentence about a moment of the run.
  package struct Event: Codable, Sendable {
    /// Seconds since the start of the run.
    package var seconds: Double
    package var text: String
    /// The number of events that it stands for, if they were left out.
    fileprivate var leftOut = 0

    package init(at seconds: Double, _ text: String) { (self.seconds, self.text) = (seconds, text) }

    func later(by offset: Double) -> Event { Event(at: seconds + offset, text) }
  }

  /// What ran, as in "consumer watch"; its first word is the program.
  package var title: String
  package var commandLine: [String]
  /// The emulated device; `nil` if the run has none, or another program has it.
  package var device: String?
  package var start: Date
  /// The length in seconds.
  package var seconds: Double
  /// The folder that both sides of a broadcast share; `nil` for a run without one.
  package var container: String?
  /// What went wrong and when, the most important first.
  package var causes: [FoundCause] = []
  package var verdicts: [Verdict]
  package var plots: [LinePlot] = []
  package var events: [Event] = []
  /// The result as the program says it at its end, in sentences.
  package var summary: [String] = []
  package var version = programVersion
  package var machine = Self.machine

  package init(
    title: String, commandLine: [String], start: Date, duration: Duration, container: String? = nil,
    verdicts: [Verdict]
  ) {
    (self.title, self.commandLine, self.start) = (title, commandLine, start)
    (self.container, self.verdicts) = (container, verdicts)
    seconds = duration / .seconds(1)
  }

  /// The page of this run, as `--report` writes it.
  package var page: String { ReportPage([self]).html }

  var program: String { String(title.prefix { $0 != " " }) }

  /// Whether this run and another are the two sides of a broadcast: other programs at one time, with one container.
  func isOtherSide(of other: RunRecord) -> Bool {
    title != other.title && container != nil && container == other.container
      && start < other.start.addingTimeInterval(other.seconds)
      && other.start < start.addingTimeInterval(seconds)
  }

  private static var machine: String {
    let info = ProcessInfo.processInfo
    #if arch(arm64)
      let processor = "arm64"
    #else
      let processor = "x86-64"
    #endif
    return "\(info.operatingSystemVersionString), \(info.activeProcessorCount) processors (\(processor)), "
      + "\((Double(info.physicalMemory) / 1_073_741_824).text(decimals: 1)) GiB of memory"
  }
}

extension RunRecord {
  private static let (begin, end) = ("<template id=\"runs\">", "</template>")

  /// Records as a part of a page, which shows nothing.
  static func markup(_ records: [RunRecord]) -> String {
    // Texts and numbers have a JSON form; a number that is not finite has none, and then the page has no records.
    let json: Data
    do { json = try JSONEncoder().encode(records) } catch { return "" }
    return begin + String(decoding: json, as: UTF8.self).markup + end
  }

  /// The records of a page; `nil` for another text.
  static func records(in page: String) -> [RunRecord]? {
    guard let start = page.range(of: begin),
      let end = page.range(of: end, range: start.upperBound..<page.endIndex)
    else { return nil }
    var json = String(page[start.upperBound..<end.lowerBound])
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
      json = json.replacing(entity, with: character)
    }
    // A page of another version is not read.
    do { return try JSONDecoder().decode([RunRecord].self, from: Data(json.utf8)) } catch { return nil }
  }
}

extension [RunRecord.Event] {
  /// The number of events at the start and at the end that stay.
  private static let kept = 100

  /// Adds an event. Of more than 200, those in the middle are left out, and one says how many.
  package mutating func add(_ event: RunRecord.Event) {
    append(event)
    guard count > 2 * Self.kept + 1 else { return }
    self[Self.kept].leftOut = Swift.max(self[Self.kept].leftOut, 1) + 1
    self[Self.kept].text = "\(self[Self.kept].leftOut) more events"
    remove(at: Self.kept + 1)
  }
}
