import CommandLineSupport
import ContainingApp
import Foundation
import ScreenBroadcast

/// The options for the program that `start` launches.
struct StartOptions: OptionGroup {
  /// The program; `nil` for the `producer` next to this program.
  var producer: String?
  var producerArguments: [String] = []

  static let options: [Option<Self>] = [
    .value(
      "--producer", "PATH", .text("a program"), \.producer, help: "The program of the extension to launch.",
      default: "the producer next to this program")
  ].under("The extension (start)").only(with: ["start"])

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    producerArguments = invocation.passthrough
    let shared = CommonOptions.sharing.map(\.declaration.name)
    for argument in producerArguments {
      let name = String(argument.prefix { $0 != "=" })
      guard !shared.contains(name) else {
        throw UsageError(
          "\(name) belongs before '--', because consumer passes it to the producer; move it there.")
      }
    }
  }

  /// Returns the launch of the producer.
  func launch(_ container: AppGroupContainer, _ common: CommonOptions) -> ProducerLaunch {
    ProducerLaunch(
      program: producer.map { URL(fileURLWithPath: $0) } ?? ProducerLaunch.neighbour,
      arguments: common.sharedArguments + producerArguments, container: container)
  }
}
