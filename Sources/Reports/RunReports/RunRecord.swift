import CommandLineSupport
import Foundation

/// A run as shown in its report. The page is generated from records and contains them, so that a later report to the same file
/// can include them.
package struct RunRecord: Codable, Sendable {
  /// An event in the run, as a sentence.
  package struct Event: Codable, Sendable {
    /// Seconds since the start of the run.
    package var seconds: Double
    package var text: String
    /// The number of omitted events that this event stands for; 0 for a real event.
    fileprivate var leftOut = 0

    package init(at seconds: Double, _ text: String) {
      self.seconds = seconds
      self.text = text
    }

    func later(by offset: Double) -> Event { Event(at: seconds + offset, text) }
  }

  /// The title of the run, such as "consumer watch". The first word is the program.
  package var title: String
  package var commandLine: [String]
  /// The emulated device; `nil` if the run has no device, or if another program has the device.
  package var device: String?
  package var start: Date
  /// The duration in seconds.
  package var seconds: Double
  /// The folder that both sides of a broadcast share; `nil` if the run does not use one.
  package var container: String?
  /// The causes of problems with their times, most important first.
  package var causes: [FoundCause] = []
  package var verdicts: [Verdict]
  package var events: [Event] = []
  /// The result that the program prints at its end, in sentences.
  package var summary: [String] = []
  package var version = programVersion
  package var machine = Self.machine

  package init(
    title: String, commandLine: [String], start: Date, duration: Duration, container: String? = nil,
    verdicts: [Verdict]
  ) {
    self.title = title
    self.commandLine = commandLine
    self.start = start
    self.container = container
    self.verdicts = verdicts
    seconds = duration / .seconds(1)
  }

  /// The page of this run, as written by `--report`.
  package var page: String { ReportPage([self]).html }

  var program: String { String(title.prefix { $0 != " " }) }

  /// Whether this run and `other` are the two sides of a broadcast: different programs at the same time, with the same container.
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

  /// Returns the records as an invisible part of a page.
  static func markup(_ records: [RunRecord]) -> String {
    // A number that is not finite has no JSON form. The page then has no records.
    let json: Data
    do { json = try JSONEncoder().encode(records) } catch { return "" }
    return begin + String(decoding: json, as: UTF8.self).markup + end
  }

  /// Returns the records of a page; `nil` if the string is not such a page.
  static func records(in page: String) -> [RunRecord]? {
    guard let start = page.range(of: begin),
      let end = page.range(of: end, range: start.upperBound..<page.endIndex)
    else { return nil }
    var json = String(page[start.upperBound..<end.lowerBound])
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
      json = json.replacing(entity, with: character)
    }
    // A page of another version is ignored.
    do { return try JSONDecoder().decode([RunRecord].self, from: Data(json.utf8)) } catch { return nil }
  }
}

extension [RunRecord.Event] {
  /// The number of events that are kept at the start and at the end.
  private static let kept = 100

  /// Adds an event. If there are more than 200 events, the events in the middle are omitted, and one event has their number.
  package mutating func add(_ event: RunRecord.Event) {
    append(event)
    guard count > 2 * Self.kept + 1 else { return }
    self[Self.kept].leftOut = Swift.max(self[Self.kept].leftOut, 1) + 1
    self[Self.kept].text = "\(self[Self.kept].leftOut) more events"
    remove(at: Self.kept + 1)
  }
}
