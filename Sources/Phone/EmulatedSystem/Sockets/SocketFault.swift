import CommandLineSupport

/// A fault of a connection that the handler makes, with toxiproxy's names for the types and attributes.
///
/// ```swift
/// let fault = try SocketFault(text: "latency,latency=300,jitter=100,stream=downstream")
/// ```
package struct SocketFault: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case latency, bandwidth, slicer, timeout
    case resetPeer = "reset_peer"
    case limitData = "limit_data"

    /// The attributes: name, unit, range, default (`nil` if the attribute is required), and the value that a page shows
    /// first.
    package var attributes:
      [(name: String, unit: String, range: ClosedRange<Int>, standard: Int?, first: Int)]
    {
      switch self {
      case .latency: [("latency", "ms", 0...60_000, nil, 300), ("jitter", "ms", 0...60_000, 0, 0)]
      case .bandwidth: [("rate", "kB/s", 1...1_000_000, nil, 20)]
      case .slicer:
        [
          ("average_size", "bytes", 1...1_000_000, nil, 100), ("size_variation", "bytes", 0...999_999, 0, 0),
          ("delay", "µs", 0...10_000_000, 0, 0),
        ]
      case .timeout, .resetPeer: [("timeout", "ms", 0...3_600_000, 0, 0)]
      case .limitData: [("bytes", "bytes", 0...1_000_000_000, nil, 10_000)]
      }
    }

    /// The page's button for this fault.
    var action: PageAction {
      let (name, meaning) =
        switch self {
        case .latency: ("late", "All bytes arrive late.")
        case .bandwidth: ("narrow", "The connection carries no more than this.")
        case .slicer: ("slices", "The bytes arrive in pieces.")
        case .timeout: ("dead", "The bytes are dropped, and the connection is closed after this time.")
        case .resetPeer: ("reset", "The connection is reset this long after the next bytes.")
        case .limitData: ("close after", "The connection is closed after this many bytes.")
        }
      let parts = attributes.enumerated().map { ",\($1.name)={\($0)}" } + [",stream={\(attributes.count)}"]
      let fields = attributes.map { attribute in
        let (least, most) = (Double(attribute.range.lowerBound), Double(attribute.range.upperBound))
        return PageAction.Field.number(least...most, unit: attribute.unit)
          .labelled(attribute.name.replacing("_", with: " ").firstUpper, "\(attribute.first)")
      }
      return PageAction(
        "Socket: \(name)", "socket:\(rawValue)", .connection, meaning,
        "socket:\(rawValue)\(parts.joined())", fields + [OptionValue<Stream>.choice.field.labelled("Stream")])
    }
  }

  /// The page's buttons for all faults.
  static let actions =
    Kind.allCases.map(\.action) + [
      PageAction(endName, "socket:none", .connection, "All socket faults end.", "socket:none")
    ]
  static let endName = "Socket: no fault"

  /// The direction of the bytes that a fault affects: from the handler to the remote side, or back.
  package enum Stream: String, CaseIterable, Sendable { case upstream, downstream }

  package let kind: Kind
  package let stream: Stream
  /// The probability that a connection has the fault, in percent.
  package let percentage: Int
  package let seed: UInt64
  /// The fault as typed.
  package let text: String
  private let values: [String: Int]

  /// Parses a type with its attributes after commas. The error names the invalid part and what is expected.
  package init(text: String) throws(UsageError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: parts[0]) else {
      let names = Kind.allCases.map(\.rawValue)
      let advice = Spelling.nearest(to: parts[0], among: names + ["none"]).map { "did you mean '\($0)'?" }
      throw UsageError(
        "There is no socket fault \(parts[0].quoted); \(advice ?? "the faults are \(names.joined(separator: ", ")) and none.")"
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
    for attribute in kind.attributes {
      let name = attribute.name
      values[name] =
        try Self.take(name, from: &rest, .integer(in: attribute.range), of: kind) ?? attribute.standard
      if values[name] == nil {
        throw UsageError(
          "'\(kind.rawValue)' needs the attribute '\(name)', as in \(kind.rawValue),\(name)=\(attribute.first)."
        )
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
        "'\(kind.rawValue)' has no attribute \(name.quoted); it has \(known.joined(separator: ", ")).")
    }
    self.kind = kind
    self.text = text
    self.values = values
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
