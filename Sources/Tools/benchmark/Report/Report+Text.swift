import CommandLineSupport

extension Report {
  /// The table for a terminal.
  var text: String {
    var lines = [machine.text, legend]
    for (size, all) in sizes {
      let rows = all.filter(isShown)
      let table = cells(rows, size)
      let columns = table.reduce(into: heading.map(\.count)) { widths, line in
        guard line.count == heading.count else { return }
        for (index, cell) in line.enumerated() { widths[index] = max(widths[index], cell.count) }
      }
      func line(_ cells: [String]) -> String {
        guard cells.count == heading.count else { return cells.joined(separator: "  ") }
        let padded = zip(cells, columns).enumerated().map { index, cell in
          let pad = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
          return index < 2 ? cell.0 + pad : pad + cell.0
        }
        return padded.joined(separator: "  ").trimmingTrailingSpaces
      }
      lines += ["", "\(size), frames of \(byteText(size))"]
      var group: Group?
      for (measured, cells) in zip(rows, table) {
        if measured.group != group {
          lines += ["", measured.group.title, line(heading)]
          group = measured.group
        }
        lines.append(line(cells))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The tables in Markdown.
  var markdown: String {
    var lines = [machine.text + ".", "", legend]
    for (size, all) in sizes {
      let rows = all.filter(isShown)
      lines += ["", "### \(size), frames of \(byteText(size))"]
      var group: Group?
      for (measured, cells) in zip(rows, cells(rows, size)) {
        if measured.group != group {
          lines += ["", "**\(measured.group.title)**", "", "| \(heading.joined(separator: " | ")) |"]
          lines.append("| --- | --- |" + String(repeating: " ---: |", count: heading.count - 3) + " --- |")
          group = measured.group
        }
        let filled = cells.count == heading.count ? cells : [cells[0], "", "", "", "", "", cells[1]]
        lines.append("| \(filled.joined(separator: " | ")) |")
      }
    }
    return lines.joined(separator: "\n")
  }

  private var heading: [String] { ["what", "unit", "median", "min", "max", "× beside", "bar"] }

  private var legend: String {
    "Medians with least and greatest of \(rounds) interleaved rounds. × is the ratio to what was measured beside it "
      + "in the same round, whose name follows. Other processes took "
      + "\((100 * takenByOthers).text(decimals: 0)) % of the machine in that time"
      + (countsForBars ? "." : "; no bar is judged in a run like this.")
  }

  private func byteText(_ size: PixelSize) -> String {
    let stride = (size.width + 63) / 64 * 64
    return (Double(stride * (size.height + (size.height + 1) / 2)) / 1e6).text(decimals: 2) + " MB"
  }

  /// A measurement that cannot run has one line for all its rows.
  private func isShown(_ measured: Measured) -> Bool { !measured.values.isEmpty || measured.isFirst }

  private func cells(_ rows: [Measured], _ size: PixelSize) -> [[String]] {
    rows.map { measured in
      let row = measured.row
      guard let figure = Summary(measured.values) else {
        return [row.title.prefix { $0 != ":" }.description, "skipped: \(measured.skipped ?? "no figure")"]
      }
      let ratio = Summary(measured.ratios).map { "× \(Figure.text($0.median)) \(row.beside ?? "")" } ?? ""
      return [
        row.title, row.unit.rawValue, Figure.text(figure.median), Figure.text(figure.min),
        Figure.text(figure.max), ratio, bar(measured, size),
      ]
    }
  }

  private func bar(_ measured: Measured, _ size: PixelSize) -> String {
    guard let bar = measured.row.bar, size == BenchmarkOptions.standardSize else { return "" }
    guard countsForBars, let isMet = measured.meetsBar else { return bar.text }
    return "\(bar.text) \(isMet ? "met" : "MISSED")"
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
