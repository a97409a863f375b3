/// Corrects mistyped words.
package enum Spelling {
  /// Returns the known word nearest to a mistyped word; `nil` if all are too different.
  ///
  /// A known word is near if no other known word begins with the typed letters, or if at most a third of the letters differ (two
  /// in a word of five or six, one in a shorter word). Otherwise it is the first known word within the typed one (`left` in
  /// `landscapeLeft`), or the only one with the same first three letters.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let longer = known.filter { word.count >= 4 && $0.hasPrefix(word) }
    if longer.count == 1 { return longer.first }
    let letters = word.count { $0 != "-" }
    let limit = letters < 5 ? 1 : max(2, word.count / 3)
    // The difference in length is a lower bound of the distance. Without this check a long argument takes seconds.
    let candidates = known.filter { abs($0.count - word.count) <= limit }
    let nearest = candidates.map { (word: $0, distance: distance(word, $0)) }.min {
      $0.distance < $1.distance
    }
    if let nearest, nearest.distance <= limit { return nearest.word }
    guard word.first != "-", (3...80).contains(letters) else { return nil }
    if let part = known.first(where: { $0.count > 2 && word.lowercased().contains($0.lowercased()) }) {
      return part
    }
    let alike = known.filter { $0.hasPrefix(word.prefix(3)) }
    return alike.count == 1 ? alike.first : nil
  }

  /// Returns the number of letters to add, remove, replace or swap with a neighbour to turn one word into the other.
  static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one)
    let other = Array(other)
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var current = [row + 1]
      for (column, candidate) in other.enumerated() {
        let replaced = last[column] + (letter == candidate ? 0 : 1)
        var best = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == candidate {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
