import BroadcastExtension
import CommandLineSupport
import consumer

/// Parses the bytes as command lines of both programs: arguments separated by a zero or a line feed.
package struct CommandLineTarget: FuzzTarget {
  package static let name = "command-line"

  package init(folder: String) {}

  package func run(_ bytes: [UInt8]) throws {
    let words = bytes.split(omittingEmptySubsequences: false) { $0 == 0 || $0 == UInt8(ascii: "\n") }
    // Invalid UTF-8 is replaced, as in the arguments that the system passes.
    let arguments = words.map { String(decoding: $0, as: UTF8.self) }
    try parse(arguments, ProducerOptions.parse)
    try parse(arguments, ConsumerOptions.parse)
  }

  private func parse<Options>(
    _ arguments: [String], _ parser: ([String]) throws(UsageError) -> CommandLineRequest<Options>
  ) throws {
    do throws(UsageError) { _ = try parser(arguments) } catch {
      try require(
        error.message.isOneLine && ".?".contains(error.message.last ?? " "), "'\(error)' is not one sentence")
    }
  }
}
