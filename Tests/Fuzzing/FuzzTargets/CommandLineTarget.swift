import BroadcastExtension
import CommandLineSupport
import consumer

/// Command lines of both programs: arguments with a zero or a line feed between them.
package struct CommandLineTarget: FuzzTarget {
  package static let name = "command-line"

  package init(folder: String) {}

  package func run(_ bytes: [UInt8]) throws {
    let words = bytes.split(omittingEmptySubsequences: false) { $0 == 0 || $0 == UInt8(ascii: "\n") }
    // As the system's arguments become strings: invalid UTF-8 is replaced.
    let arguments = words.map { String(decoding: $0, as: UTF8.self) }
    try parse(arguments, ProducerOptions.parse)
    try parse(arguments, ConsumerOptions.parse)
  }

  private func parse<Options>(
    _ arguments: [String], _ parser: ([String]) throws(UsageError) -> CommandLineRequest<Options>
  ) throws {
    do throws(UsageError) { _ = try parser(arguments) } catch {
      let isOneLine = error.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      try require(isOneLine && ".?".contains(error.message.last ?? " "), "'\(error)' is not one sentence")
    }
  }
}
