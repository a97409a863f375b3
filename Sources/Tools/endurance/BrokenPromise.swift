/// Something that was promised and did not hold.
struct BrokenPromise: Error, CustomStringConvertible {
  /// What did not hold, as a sentence that goes on from "in round 7, ".
  let description: String

  init(_ description: String) { self.description = description }
}
