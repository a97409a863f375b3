import CommandLineSupport
import Platform
import RunReports

/// The calls that a handler got, compared with those of an expected trace.
///
/// Order, kinds, shapes and presentation times must be equal. Times count from the first call. An arrival depends on how
/// busy the machine is, so it is only measured, up to ``latest``.
package struct TraceComparison {
  /// The first differences, each a sentence with the line of the expected file.
  package private(set) var differences: [String] = []
  package private(set) var differenceCount = 0
  /// How much later than expected the equal calls arrived.
  package private(set) var arrivals = DelayHistogram()
  /// The equal calls whose arrival differs by more than ``tolerance``.
  package private(set) var lateCount = 0
  package let lineCount: Int

  /// A frame's interval at 60 frames a second.
  package static let tolerance = Duration.milliseconds(17)
  /// A call that arrives later than this is a difference on every machine. With ten busy programs for each processor calls
  /// arrive up to 4 s late; 10 s is what a scenario of `check` gives a process to end.
  package static let latest = Duration.seconds(10)
  private static let listedDifferences = 20
  /// How many lines ahead an equal line is searched after a difference.
  private static let window = 64

  package init(_ lines: [TraceLine], with expected: Trace) {
    lineCount = expected.lines.count
    let start = expected.lines[0].arrival - (lines.first?.arrival ?? 0)
    // Line by line, because a copy of an hour's lines would count for the handler's memory.
    func given(_ index: Int) -> TraceLine { lines[index].shifted(by: start) }
    func isEqual(_ mine: Int, _ theirs: Int) -> Bool {
      mine < lines.count && theirs < lineCount && given(mine).call == expected.lines[theirs].call
    }
    var (mine, theirs) = (0, 0)
    while mine < lines.count || theirs < lineCount {
      if isEqual(mine, theirs) {
        noteArrival(
          .nanoseconds(given(mine).arrival - expected.lines[theirs].arrival), theirs, of: expected)
        (mine, theirs) = (mine + 1, theirs + 1)
        continue
      }
      let next = (1...Self.window).first { isEqual(mine, theirs + $0) || isEqual(mine + $0, theirs) }
      if mine == lines.count || next.map({ isEqual(mine, theirs + $0) }) == true {
        for line in theirs..<theirs + (next ?? 1) {
          note("This call is missing: \(expected.lines[line]).", line, of: expected)
        }
        theirs += next ?? 1
      } else if let next {
        for line in mine..<mine + next {
          note("Before this line came \(given(line)).", theirs, of: expected)
        }
        mine += next
      } else if theirs == lineCount {
        note("After the last line came \(given(mine)).", theirs - 1, of: expected)
        mine += 1
      } else {
        note("Expected was \(expected.lines[theirs]), and \(given(mine)) came.", theirs, of: expected)
        (mine, theirs) = (mine + 1, theirs + 1)
      }
    }
  }

  private mutating func note(_ sentence: @autoclosure () -> String, _ line: Int, of expected: Trace) {
    differenceCount += 1
    guard differences.count < Self.listedDifferences else { return }
    differences.append("\(expected.file):\(line + 1): \(sentence())")
  }

  private mutating func noteArrival(_ delay: Duration, _ line: Int, of expected: Trace) {
    arrivals.add(delay)
    let size = delay < .zero ? .zero - delay : delay
    if size > Self.tolerance { lateCount += 1 }
    if size > Self.latest {
      note(
        "The call arrived \((delay / .seconds(1)).text(decimals: 2)) s later than expected; at most "
          + "\(Self.latest.decimalSeconds) s is the machine's.", line, of: expected)
    }
  }

  /// What a person reads about the arrivals.
  package var arrivalText: String {
    let times = DelayHistogram.Percentiles(arrivals)
    return "Arrivals differ by \(times.p50.text(decimals: 2)) ms at the median, "
      + "\(times.p99.text(decimals: 2)) ms at p99, \(times.max.text(decimals: 2)) ms at most; "
      + "\(lateCount) of \(arrivals.count) by more than \((Self.tolerance / .milliseconds(1)).text(decimals: 0)) ms."
  }
}
