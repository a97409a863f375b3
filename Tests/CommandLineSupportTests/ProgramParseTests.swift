import CommandLineSupport
import Foundation
import TestSupport
import Testing

@Suite struct ProgramParseTests {
  private struct Options: OptionGroup {
    var path: String?
    var at: [String] = []
    var rate = 2.5
    var isOn = false
    var colour: Colour?
    enum Colour: String, CaseIterable { case red, green }

    static let options: [Option<Self>] = [
      .value("--path", "PATH", .text("a file"), \.path, help: "A file."),
      .value("--rate", "N", .number(in: 1...9), \.rate, help: "A rate."),
      .flag("--on", \.isOn, help: "A switch."),
      .value("--colour", "NAME", .choice, \.colour, implied: "red", help: "A colour."),
      .repeated("--at", "TIME EVENT", help: "An event.") { text, options throws(UsageError) in
        guard !text.contains("bad") else { throw UsageError("\(text) is bad.") }
        options.at.append(text)
      },
    ]
  }

  private static let plain = program(subcommands: [])
  private static let withSubcommands = program(subcommands: [
    HelpEntry("go", "Go."), HelpEntry("halt", "Halt."), HelpEntry("open", "Open."),
  ])

  private static func program(subcommands: [HelpEntry]) -> Program<Options> {
    Program(
      name: "sample", summary: "A sample. It does nothing.", usage: ["sample"], subcommands: subcommands,
      options: Options.options, passthroughSubcommands: subcommands.isEmpty ? [] : ["go"],
      operands: subcommands.isEmpty ? [] : [Operand("open", "FILE", "a file")], examples: [], signals: [])
  }

  private func options(_ arguments: [String]) throws -> Options {
    guard case .run(let options) = try Self.plain.request(arguments) else { throw UsageError("no options") }
    return options
  }

  @Test(arguments: [
    (["--path", "a"], "a"), (["--path=a"], "a"), (["--path", "-"], "-"), (["--path", "-x"], "-x"),
    (["--path=--on"], "--on"), (["--path=a=b"], "a=b"), (["--path", "a  b"], "a  b"),
  ])
  func aValueFollowsABlankOrAnEqualsSign(_ arguments: [String], _ value: String) throws {
    #expect(try options(arguments).path == value)
  }

  @Test(arguments: [["--path"], ["--path", "--on"], ["--path", "--"]])
  func aMissingValueIsNotTakenFromTheNextOption(_ arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Self.withSubcommands.parse(arguments) }
    #expect(error?.message == "--path expects a value: '--path PATH'.")
  }

  @Test func theInitialValueOfAPropertyIsTheDefault() throws {
    #expect(try options([]) == Options())
    #expect(Options.options.map(\.declaration.defaultText) == [nil, "2.5", nil, nil, nil])
    #expect(try options(["--rate", "3", "--on"]).rate == 3 && options(["--on"]).isOn)
  }

  @Test(arguments: [
    ["--at", "2s", "pause"], ["--at", "2s pause"], ["--at=2s pause"], ["--at=2s", "pause"],
    ["--at", " 2s  pause "],
  ])
  func aValueOfTwoWordsIsTypedAsOneArgumentOrTwo(_ arguments: [String]) throws {
    #expect(try options(arguments).at == ["2s pause"])
  }

  @Test(arguments: [
    (["--colour"], "red"), (["--colour", "green"], "green"), (["--colour=green"], "green"),
    (["--colour", "--on"], "red"), (["--colour", "halt"], "red"),
  ])
  func aWordAfterAnOptionIsItsValueIfItCanBe(_ arguments: [String], _ colour: String) throws {
    guard case .run(let options) = try Self.withSubcommands.request(arguments) else { return }
    #expect(options.colour?.rawValue == colour)
  }

  @Test(arguments: [
    ("sample ''", "--at --colour --help --on --path --rate --version go halt open"), ("sample ha", "halt"),
    ("sample --colour gr", "green"), ("sample --colour = gr", "green"), ("sample --path x", ""),
    ("sample halt --p", "--path"),
  ])
  func aShellCompletesWhatIsTyped(_ line: String, _ words: String) async throws {
    guard case .show(let script) = try Self.withSubcommands.request(["completion", "bash"]) else {
      throw UsageError("no script")
    }
    let check =
      "COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _sample; printf '%s\\n' ${COMPREPLY[@]} | sort | xargs"
    let folder = try TemporaryFolder()
    let run = try await FinishedProgram(
      URL(filePath: "/usr/bin/env"), ["bash", "-c", script + "\n" + check], in: folder.path)
    #expect(run.output.trimmingCharacters(in: .newlines) == words, "\(run.errors)")
  }

  @Test func aRepeatedOptionKeepsItsOrder() throws {
    #expect(try options(["--at", "b", "1", "--at", "a", "2", "--at=c 3"]).at == ["b 1", "a 2", "c 3"])
    #expect(
      try Self.withSubcommands.parse(["--at", "b", "1", "open", "--at", "a", "2", "file"]).operand == "file")
  }

  @Test(arguments: [["--at"], ["--at", "2s"], ["--at", "2s", "--on"], ["--at="], ["--at=2s"]])
  func aMissingWordOfAValueIsReported(_ arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Self.plain.parse(arguments) }
    #expect(error?.message == "--at expects a value: '--at TIME EVENT'.")
  }

  @Test func aWrongRepeatedValueIsRefusedWithTheOptionsOwnSentence() throws {
    let error = #expect(throws: UsageError.self) {
      try options(["--at", "2s", "pause", "--at", "3s", "bad"])
    }
    #expect(error?.message == "3s bad is bad.")
  }

  @Test func argumentsAfterTheTwoHyphensAreNotParsed() throws {
    let invocation = try Self.withSubcommands.parse(["--on", "go", "--", "--bogus", "--", "halt"])
    #expect(invocation.subcommand == "go")
    #expect(invocation.passthrough == ["--bogus", "--", "halt"])
    #expect(invocation.has("--on") && !invocation.has("--path"))
  }

  @Test(arguments: [["open", "go"], ["--on", "open", "--path", "p", "go"]])
  func theWordAfterASubcommandWithAnOperandIsTheOperand(_ arguments: [String]) throws {
    let invocation = try Self.withSubcommands.parse(arguments)
    #expect(invocation.subcommand == "open" && invocation.operand == "go")
    #expect(try Self.withSubcommands.parse(["go"]).operand == nil)
  }

  @Test(arguments: [
    (["open"], "'open' expects a file: 'sample open FILE'."),
    (["open", ""], "'open' expects a file, not ''."),
    (["open", "a", "b"], "'open' takes one FILE, not both 'a' and 'b'."),
    (
      ["go", "a"],
      "'go' takes only options, which begin with '--', not 'a'; options for the program it starts go after '--'."
    ),
  ])
  func aMissingOrExtraOperandIsRefused(_ arguments: [String], _ sentence: String) {
    let error = #expect(throws: UsageError.self) { try Self.withSubcommands.parse(arguments) }
    #expect(error?.message == sentence)
  }

  @Test func anEmptyArgumentIsRefused() {
    let error = #expect(throws: UsageError.self) { try Self.plain.parse([""]) }
    #expect(error?.message == "This program takes only options, which begin with '--', not ''.")
  }
}
