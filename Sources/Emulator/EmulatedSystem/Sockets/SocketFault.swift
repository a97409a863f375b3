import CommandLineSupport

/// A fault of a connection that the handler makes, with toxiproxy's names for types and attributes.
///
/// ```swift
/// let fault = try SocketFault(text: "latency,latency=300,jitter=100,stream=downstream")
/// ```
package struct SocketFault: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case latency, bandwidth, slicer, timeout
    case resetPeer = "reset_peer"
    case limitData = "limit_data"

    /// The attributes: their names and ranges, and the value without one; `nil` where it is needed.
    package var attributes: [(name: String, range: ClosedRange<Int>, standard: Int?)] {
      switch self {
      case .latency: [("latency", 0...60_000, nil), ("jitter", 0...60_000, 0)]
      case .bandwidth: [("rate", 1...1_000_000, nil)]
      case .slicer:
        [
          ("average_size", 1...1_000_000, nil), ("size_variation", 0...999_999, 0),
          ("delay", 0...10_000_000, 0),
        ]
      case .timeout, .resetPeer: [("timeout", 0...3_600_000, 0)]
      case .limitData: [("bytes", 0...1_000_000_000, nil)]
      }
    }
  }

  /// The direction of the bytes that a fault concerns: from the handler to the other end, or back.
  package enum Stream: String, CaseIterable, Sendable { case upstream, downstream }

  package let kind: Kind
  package let stream: Stream
  /// The probability that a connection has the fault, in percent.
  package let percentage: Int
  package let seed: UInt64
  /// The fault as it is typed.
  package let text: String
  private let values: [String: Int]

  /// Parses a type with its attributes after commas. The error says what is wrong and what is expected.
  package init(text: String) throws(UsageError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: parts[0]) else {
      let names = Kind.allCases.map(\.rawValue)
      let advice = Spelling.nearest(to: parts[0], among: names + ["none"]).map { "did you mean '\($0)'?" }
      throw UsageError(
        "There is no socket fault \(parts[0].quoted); \(advice ?? "there are \(names.joined(separator: ", ")) and none.")"
      )
    }
    var rest: [String: String] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, rest.updateValue(pair[1], forKey: pair[0]) == nil else {
        throw UsageError(
          "'\(kind.rawValue)' expects attributes such as seed=7, each once, not \(part.quoted).")
      }
    }
    var values: [String: Int] = [:]
    for (name, range, standard) in kind.attributes {
      values[name] = try Self.take(name, from: &rest, .integer(in: range), of: kind) ?? standard
      if values[name] == nil {
        throw UsageError(
          "'\(kind.rawValue)' needs the attribute '\(name)', as in \(kind.rawValue),\(name)=100.")
      }
    }
    if let size = values["average_size"], let variation = values["size_variation"], variation >= size {
      throw UsageError("'slicer' expects a size_variation below average_size, not \(variation).")
    }
    let stream = try Self.take("stream", from: &rest, OptionValue<Stream>.choice, of: kind)
    let toxicity = try Self.take("toxicity", from: &rest, Self.probability, of: kind)
    let seed = try Self.take("seed", from: &rest, .integer(in: 0...Int.max), of: kind)
    if let name = rest.keys.min() {
      let known = kind.attributes.map(\.name) + ["stream", "toxicity", "seed"]
      throw UsageError(
        "'\(kind.rawValue)' has no attribute \(name.quoted); there are \(known.joined(separator: ", ")).")
    }
    (self.kind, self.text, self.values) = (kind, text, values)
    (self.stream, percentage, self.seed) = (stream ?? .upstream, toxicity ?? 100, UInt64(seed ?? 1))
  }

  /// The value of an attribute of this type.
  subscript(_ name: String) -> Int { values[name] ?? 0 }

  private static func take<Value>(
    _ name: String, from attributes: inout [String: String], _ value: OptionValue<Value>, of kind: Kind
  ) throws(UsageError) -> Value? {
    guard let text = attributes.removeValue(forKey: name) else { return nil }
    return try value.value(of: text, for: "'\(name)' of '\(kind.rawValue)'")
  }

  private static let probability = OptionValue<Int>("a probability from 0 to 1, such as 0.5") { text in
    guard let value = OptionValue.number(in: 0...1).read(text) else { return nil }
    return Int((value * 100).rounded())
  }
}
