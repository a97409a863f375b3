import CommandLineSupport
import Testing

@Suite struct ProgramParseTests {
  private static let path = Option("--path", "PATH", .text("a file"), help: "A file.", group: "Options")
  private static let at = RepeatedOption("--at", "TIME EVENT", help: "Something.", group: "Options") {
    text throws(UsageError) in
    guard !text.contains("bad") else { throw UsageError("\(text) is bad.") }
    return text
  }
  private static let plain = program(verbs: [])
  private static let withVerbs = program(verbs: [
    HelpEntry("go", "Go."), HelpEntry("halt", "Halt."), HelpEntry("open", "Open."),
  ])

  private static func program(verbs: [HelpEntry]) -> Program {
    Program(
      name: "sample", summary: "A sample. It does nothing.", usage: ["sample"], verbs: verbs,
      options: [path.declaration, at.declaration] + CommonOptions.declarations,
      passthroughVerb: verbs.isEmpty ? nil : "go",
      operands: verbs.isEmpty ? [] : [Operand("open", "FILE", "a file")], examples: [], signals: [])
  }

  @Test(arguments: [
    (["--path", "a"], "a"), (["--path=a"], "a"), (["--path", "-"], "-"), (["--path", "-x"], "-x"),
    (["--path=--json"], "--json"), (["--path=a=b"], "a=b"), (["--path", "a b"], "a b"),
  ])
  func aValueStandsBehindABlankOrAnEqualsSign(_ arguments: [String], _ value: String) throws {
    #expect(try Self.plain.parse(arguments).value(of: Self.path) == value)
  }

  @Test(arguments: [["--path"], ["--path", "--json"], ["--path", "--"]])
  func aMissingValueIsNotTakenFromTheNextOption(_ arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Self.withVerbs.parse(arguments) }
    #expect(error?.message == "--path wants a value: '--path PATH'.")
  }

  @Test(arguments: [
    ["--at", "2s", "pause"], ["--at", "2s pause"], ["--at=2s pause"], ["--at=2s", "pause"],
    ["--at", " 2s  pause "],
  ])
  func aValueOfTwoWordsIsTypedAsOneArgumentOrTwo(_ arguments: [String]) throws {
    #expect(try Self.plain.parse(arguments).values(of: Self.at) == ["2s pause"])
  }

  @Test func anOptionThatMayBeRepeatedKeepsItsOrder() throws {
    let invocation = try Self.withVerbs.parse([
      "--at", "b", "1", "open", "--at", "a", "2", "file", "--at=c 3",
    ])
    #expect(try invocation.values(of: Self.at) == ["b 1", "a 2", "c 3"])
    #expect(invocation.operand == "file")
    #expect(try Self.plain.parse([]).values(of: Self.at).isEmpty)
  }

  @Test(arguments: [["--at"], ["--at", "2s"], ["--at", "2s", "--json"], ["--at="], ["--at=2s"]])
  func aWordThatIsMissingIsAskedFor(_ arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Self.plain.parse(arguments) }
    #expect(error?.message == "--at wants a value: '--at TIME EVENT'.")
  }

  @Test func aRepeatedValueThatIsWrongIsToldInTheOptionsOwnWords() throws {
    let invocation = try Self.plain.parse(["--at", "2s", "pause", "--at", "3s", "bad"])
    let error = #expect(throws: UsageError.self) { try invocation.values(of: Self.at) }
    #expect(error?.message == "3s bad is bad.")
  }

  @Test func whatStandsBehindTheTwoHyphensIsNotLookedAt() throws {
    let invocation = try Self.withVerbs.parse(["--json", "go", "--", "--bogus", "--", "halt"])
    #expect(invocation.verb == "go")
    #expect(invocation.passthrough == ["--bogus", "--", "halt"])
    #expect(invocation.has(CommonOptions.json))
    #expect(!invocation.has(CommonOptions.quiet))
  }

  @Test(arguments: [["open", "go"], ["--json", "open", "--path", "p", "go"]])
  func whatStandsBehindAVerbThatWantsItIsItsOperand(_ arguments: [String]) throws {
    let invocation = try Self.withVerbs.parse(arguments)
    #expect(invocation.verb == "open" && invocation.operand == "go")
    #expect(try Self.withVerbs.parse(["go"]).operand == nil)
  }

  @Test(arguments: [
    (["open"], "'open' wants a file: 'sample open FILE'."), (["open", ""], "'open' wants a file, not ''."),
    (["open", "a", "b"], "'open' takes one FILE, not both 'a' and 'b'."),
    (["go", "a"], "There is no verb 'a'; did you mean 'go'?"),
  ])
  func anOperandTooFewOrTooManyIsRefused(_ arguments: [String], _ sentence: String) {
    let error = #expect(throws: UsageError.self) { try Self.withVerbs.parse(arguments) }
    #expect(error?.message == sentence)
  }

  @Test func anEmptyArgumentIsRefused() {
    let error = #expect(throws: UsageError.self) { try Self.plain.parse([""]) }
    #expect(error?.message == "Only options fit here, which begin with '--', not ''.")
  }
}
