import CommandLineSupport
import Foundation

/// A plot of values over the time of a run, as SVG within a page. Times are in seconds since the start of the run.
package struct LinePlot: Codable, Sendable {
  package struct Point: Codable, Sendable {
    package var time: Double
    /// The value; `nil` for a gap in the line.
    package var value: Double?
  }

  /// A line of the plot.
  package struct Series: Codable, Sendable {
    package var name: String
    /// The points in chronological order.
    package var points: [Point]
  }

  package struct Limit: Codable, Sendable {
    package var name: String
    package var value: Double

    package init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  let title: String
  let unit: String
  var series: [Series]
  private let limit: Limit?

  /// - Parameters:
  /// - series: up to four lines. Lines without a value are omitted.
  ///   - limit: a value that should not be exceeded.
  init(title: String, unit: String, series: [Series], limit: Limit? = nil) {
    self.title = title
    self.unit = unit
    self.limit = limit
    self.series = series.filter { $0.points.contains { $0.value != nil } }
  }

  /// Returns the plot with all times shifted.
  func shifted(by seconds: Double) -> LinePlot {
    var plot = self
    for index in plot.series.indices {
      plot.series[index].points = plot.series[index].points.map {
        Point(time: $0.time + seconds, value: $0.value)
      }
    }
    return plot
  }

  private static let (width, height) = (960.0, 200.0)
  private static let (left, right, top, bottom) = (56.0, 12.0, 12.0, 24.0)
  /// The maximum number of points of a line. More points do not fit next to each other.
  private static let mostPoints = 400

  /// Returns the markup of the plot with its title and legend; empty if no line has a value.
  ///
  /// - Parameters:
  /// - duration: the length of the time axis in seconds.
  ///   - marks: events, drawn as vertical lines.
  func markup(over duration: Double, marks: [RunRecord.Event] = []) -> String {
    guard !series.isEmpty else { return "" }
    let duration = max(duration, 1)
    let values = series.flatMap { $0.points.compactMap(\.value) } + (limit.map { [$0.value] } ?? [])
    let rows = Self.ticks(from: min(0, values.min() ?? 0), to: values.max() ?? 0, count: 4)
    let low = rows[0]
    let high = rows[rows.count - 1]
    func x(_ time: Double) -> String { Self.number(Self.left + time / duration * Self.plotWidth) }
    func y(_ value: Double) -> String {
      Self.number(Self.top + (high - value) / (high - low) * (Self.height - Self.top - Self.bottom))
    }
    let ends = (left: x(0), right: x(duration), top: y(high), bottom: y(low))
    var svg = rows.map { row in
      Self.line(from: (ends.left, y(row)), to: (ends.right, y(row)), "grid")
        + Self.text(Self.shortNumber(row), at: (Self.number(Self.left - 6), y(row)), "end", shift: 4)
    }
    for time in Self.timeTicks(to: duration) {
      svg.append(Self.text(Self.clock(time), at: (x(time), ends.bottom), "middle", shift: 16))
    }
    svg += marks.filter { (0...duration).contains($0.seconds) }.map { mark in
      Self.line(
        from: (x(mark.seconds), ends.top), to: (x(mark.seconds), ends.bottom), "mark", title: mark.text)
    }
    if let limit {
      svg.append(Self.line(from: (ends.left, y(limit.value)), to: (ends.right, y(limit.value)), "limit"))
      svg.append(
        Self.text(limit.name, at: (ends.right, y(limit.value)), "end", shift: -4, kind: "limit-text"))
    }
    for (index, series) in series.enumerated() {
      let size = (2 * series.points.count + Self.mostPoints - 1) / Self.mostPoints
      for run in Self.runs(of: series.points) {
        let points = Self.thinned(run, by: size).map { "\(x($0.time)),\(y($0.value))" }
        // A line of one point would not show.
        let kind = points.count == 1 ? "series dot s\(index)" : "series s\(index)"
        svg.append(
          "<polyline class=\"\(kind)\" points=\"\((points.count == 1 ? points + points : points).joined(separator: " "))\"/>"
        )
      }
    }
    let legend = series.enumerated().map { index, series in
      "<span><b class=\"s\(index)\">―</b>\(series.name.markup)</span>"
    }
    return """
      <figure>
      <figcaption>\(title.markup), \(unit.markup) <span class="legend">\(legend.joined())</span></figcaption>
      <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-label="\(title.markup)">
      \(svg.joined(separator: "\n"))
      </svg>
      </figure>

      """
  }

  private static let plotWidth = width - left - right

  typealias Run = [(time: Double, value: Double)]

  /// Of each `size` neighbours the lowest and the highest: peaks stay, up and down.
  static func thinned(_ run: Run, by size: Int) -> Run {
    guard size > 2, run.count > 2 else { return run }
    return stride(from: 0, to: run.count, by: size).flatMap { start in
      let part = run[start..<min(start + size, run.count)]
        .sorted { ($0.value, $0.time) < ($1.value, $1.time) }
      return [part[0], part[part.count - 1]].sorted { $0.time < $1.time }
    }
  }

  /// The parts of a line between gaps: a value is missing, or the time to the next is three times the usual one.
  private static func runs(of points: [Point]) -> [Run] {
    let steps = zip(points.dropFirst(), points).map { $0.time - $1.time }.sorted()
    let longest = steps.isEmpty ? .infinity : 3 * steps[steps.count / 2]
    var runs: [Run] = [[]]
    var last = points.first?.time ?? 0
    for point in points {
      if point.time - last > longest { runs.append([]) }
      last = point.time
      if let value = point.value { runs[runs.count - 1].append((point.time, value)) } else { runs.append([]) }
    }
    return runs.filter { !$0.isEmpty }
  }

  /// Returns round numbers at equal distances. The first is not above `low`, and the last not below `high`.
  static func ticks(from low: Double, to high: Double, count: Int) -> [Double] {
    let span = high - low > 0 ? high - low : 1
    let rough = span / Double(count)
    let power = pow(10, floor(log10(rough)))
    let step = power * ([1.0, 2, 5].first { $0 * power >= rough } ?? 10)
    let first = (low / step).rounded(.down)
    let last = max((high / step).rounded(.up), first + 1)
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// Returns the times of at most nine labels, starting at zero: whole seconds, or parts and multiples of minutes.
  static func timeTicks(to duration: Double) -> [Double] {
    let steps = [1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]
    let step = steps.first { duration / $0 <= 8 } ?? (duration / 8 / 3600).rounded(.up) * 3600
    return Array(stride(from: 0, through: duration, by: step))
  }

  private static func line(
    from: (x: String, y: String), to: (x: String, y: String), _ kind: String, title: String? = nil
  ) -> String {
    let line = "<line class=\"\(kind)\" x1=\"\(from.x)\" y1=\"\(from.y)\" x2=\"\(to.x)\" y2=\"\(to.y)\""
    return title.map { "\(line)><title>\($0.markup)</title></line>" } ?? line + "/>"
  }

  private static func text(
    _ text: String, at point: (x: String, y: String), _ anchor: String, shift: Int, kind: String = ""
  ) -> String {
    "<text class=\"\(kind)\" x=\"\(point.x)\" y=\"\(point.y)\" dy=\"\(shift)\" text-anchor=\"\(anchor)\">"
      + "\(text.markup)</text>"
  }

  private static func number(_ value: Double) -> String { value.text(decimals: 1) }

  private static func shortNumber(_ value: Double) -> String { String(format: "%g", value) }

  /// Formats a time as minutes and seconds.
  private static func clock(_ seconds: Double) -> String {
    String(format: "%d:%02d", Int(seconds) / 60, Int(seconds) % 60)
  }
}
