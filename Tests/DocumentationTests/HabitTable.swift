/// The numbers in `.ci/habits`: how often a folder may have a habit.
struct HabitTable {
  struct Cell: Hashable {
    let habit: String
    let folder: String
  }

  /// The lowest number of each cell.
  private(set) var numbers: [Cell: Int] = [:]

  /// - Parameter text: the file, or several versions of it.
  init(_ text: String) {
    var folders: [String] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      if words.first == "habit" { folders = Array(words.dropFirst()) }
      guard words.count == folders.count + 1 else { continue }
      for (folder, word) in zip(folders, words.dropFirst()) {
        guard let number = Int(word) else { continue }
        let cell = Cell(habit: words[0], folder: folder)
        numbers[cell] = min(number, numbers[cell] ?? number)
      }
    }
  }

  /// Returns the cells that exceed an earlier number, each with its number and the lowest earlier number.
  func raised(since history: String) -> [(cell: Cell, number: Int, lowest: Int)] {
    let earlier = HabitTable(history)
    return numbers.compactMap { cell, number in
      earlier.numbers[cell].flatMap { $0 < number ? (cell, number, $0) : nil }
    }
  }
}
