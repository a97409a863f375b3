/// Which frame of the reference each decoded frame shows, by the numbers in the pictures or by their order.
package struct FrameMatching: Equatable, Sendable {
  /// What decides which frames belong together.
  package enum Basis: String, Sendable {
    case number, order
  }

  package let basis: Basis
  /// For each decoded frame, the index of its reference frame; `nil` for a frame that is not compared.
  package private(set) var references: [Int?] = []
  /// The reference frames that no decoded frame shows.
  package private(set) var missing = 0
  /// The decoded frames that show the same reference frame as the one before.
  package private(set) var repeated = 0
  /// The decoded frames that are older than one before. They are not compared.
  package private(set) var outOfOrder = 0
  /// The decoded frames in which no number could be read. They are not compared.
  package private(set) var unread = 0
  /// The decoded frames that the reference does not have.
  package private(set) var notInReference = 0
  /// The longest run of decoded frames that show the same reference frame; 1 if none is repeated.
  package private(set) var maxRepeated = 0
  /// The longest run of reference frames that were skipped between two decoded frames.
  package private(set) var maxSkipped = 0

  /// Matches frames by their numbers if both recordings have numbers, else by their order.
  ///
  /// - Parameters:
  ///   - reference: the number in each frame of the reference; `nil` for a frame without it.
  ///   - decoded: the number in each decoded frame.
  package init(reference: [UInt64?], decoded: [UInt64?]) {
    let haveNumbers = [reference, decoded].allSatisfy { $0.contains { $0 != nil } }
    basis = haveNumbers ? .number : .order
    references = haveNumbers ? [] : decoded.indices.map { $0 < reference.count ? $0 : nil }
    var seen = Set(references.compactMap { $0 })
    if haveNumbers {
      matchNumbers(reference, decoded, &seen)
    } else {
      notInReference = max(0, decoded.count - reference.count)
    }
    missing = reference.count - seen.count
    countRuns()
  }

  private mutating func matchNumbers(_ reference: [UInt64?], _ decoded: [UInt64?], _ seen: inout Set<Int>) {
    let places = Dictionary(grouping: reference.indices.filter { reference[$0] != nil }) { reference[$0] }
    var last = -1
    for number in decoded {
      references.append(nil)
      guard let number else {
        unread += 1
        continue
      }
      guard let candidates = places[number] else {
        notInReference += 1
        continue
      }
      // A reference can have a number twice: the next frame with it, else the same frame again.
      let isSame = last >= 0 && reference[last] == number
      let next = isSame ? candidates.first { $0 == last + 1 } ?? last : candidates.first { $0 > last }
      guard let next else {
        outOfOrder += 1
        seen.formUnion(candidates)
        continue
      }
      references[references.count - 1] = next
      seen.insert(next)
      last = next
    }
  }

  private mutating func countRuns() {
    var run = 0
    var last: Int?
    for index in references.compactMap({ $0 }) {
      run = index == last ? run + 1 : 1
      if index == last { repeated += 1 }
      maxRepeated = max(maxRepeated, run)
      if let last { maxSkipped = max(maxSkipped, index - last - 1) }
      last = index
    }
  }
}
