/// Figures of one unit beside each other, each as a bar, with limits: a table with SVG in it.
package struct BarPlot {
  package struct Bar: Equatable {
    package var name: String
    package var value: Double
    /// The value, and what belongs to it, in words.
    package var text: String
    /// What the value should not exceed, or not fall below; `nil` for neither.
    package var limit: Double?
    /// Whether it exceeds or misses the limit.
    package var isBroken: Bool

    package init(_ name: String, _ value: Double, text: String, limit: Double? = nil, isBroken: Bool = false)
    {
      (self.name, self.value, self.text, self.limit, self.isBroken) = (name, value, text, limit, isBroken)
    }
  }

  private let unit: String
  private let bars: [Bar]

  package init(unit: String, bars: [Bar]) { (self.unit, self.bars) = (unit, bars) }

  /// The table; nothing without bars.
  package var markup: String {
    guard let longest = bars.flatMap({ [$0.value, $0.limit ?? 0] }).max() else { return "" }
    func place(_ value: Double) -> String {
      (longest > 0 ? max(0, value) / longest * 100 : 0).text(decimals: 2)
    }
    let rows = bars.map { bar in
      let limit = bar.limit.map {
        "<line class=\"limit\" x1=\"\(place($0))\" x2=\"\(place($0))\" y1=\"0\" y2=\"10\"/>"
      }
      return """
        <tr><td>\(bar.name.markup)</td><td>\(bar.text.markup)</td><td>\
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
        <rect class="\(bar.isBroken ? "broken" : "kept")" width="\(place(bar.value))" y="2" height="6"/>\
        \(limit ?? "")</svg></td></tr>
        """
    }
    return """
      <table class="bars">
      <tr><th>what</th><th>\(unit.markup)</th><th></th></tr>
      \(rows.joined(separator: "\n"))
      </table>

      """
  }
}
