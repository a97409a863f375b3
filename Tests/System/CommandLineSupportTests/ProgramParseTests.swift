import TestSupport

@Suite struct ProgramParseTests {
  private struct Options: OptionGroup {
    var path: String?
    var at: [String] = []
    var rate = 2.5
    var isOn = false
    var colour: Colour?
    var wait = Duration.zero
    var size = PixelSize(width: 16, height: 16)
    enum Colour: String, CaseIterable { case red, green }

    static let options: [Option<Self>] = [
      .value("--path", "PATH", .text("a file"), \.path, help: "A file."),
      .value("--rate", "N", .number(in: 1...9), \.rate, help: "A rate."),
      .flag("--on", \.isOn, help: "A switch."),
      .value("--colour", "NAME", .choice, \.colour, implied: "red", help: "A colour."),
      .value("--wait", "TIME", .seconds(in: .zero...(.seconds(9))), \.wait, help: "A time."),
      .value("--size", "WxH", .evenSize(in: 16...64), \.size, help: "A size."),
      .repeated("--at", "TIME EVENT", help: "An event.") { text, options throws(UsageError) in
        guard !text.contains("bad") else { throw UsageError("\(text) is bad.") }
        options.at.append(text)
      },
    ]
  }

  private static let force = Option<Options>.flag("--force", \.isOn, help: "Another switch.")
  private static let plain = program(subcommands: [])
  private static let withSubcommands = program(subcommands: [
    HelpEntry("go", "Go."), HelpEntry("halt", "Halt."), HelpEntry("open", "Open."),
  ])

  private static func program(subcommands: [HelpEntry]) -> Program<Options> {
    Program(
      name: "sample", summary: "A sample. It does nothing.", usage: ["sample"], subcommands: subcommands,
      options: Options.options + (subcommands.isEmpty ? [] : [force].only(with: ["go", "open"])),
      passthroughSubcommands: subcommands.isEmpty ? [] : ["go"],
      operands: subcommands.isEmpty ? [] : [Operand("open", "FILE", "a file")], examples: [],
      elsewhere: ["run": ["other run"], "--port": ["other --port", "sample --path"]], signals: [])
  }

  private func options(_ arguments: [String]) throws -> Options { try Self.plain.options(arguments) }

  @Test(arguments: [
    (["--path", "a"], "a"), (["--path=a"], "a"), (["--path", "-"], "-"), (["--path", "-x"], "-x"),
    (["--path=--on"], "--on"), (["--path=a=b"], "a=b"), (["--path", "a  b"], "a  b"),
  ]) func aValueFollowsABlankOrAnEqualsSign(_ arguments: [String], _ value: String) throws {
    #expect(try options(arguments).path == value)
  }

  @Test(arguments: [["--path"], ["--path", "--on"], ["--path", "--"]])
  func aMissingValueIsNotTakenFromTheNextOption(_ arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Self.withSubcommands.parse(arguments) }
    #expect(error?.message == "--path expects a value: '--path PATH'.")
  }

  @Test(arguments: [("go", "a", nil), ("halt", nil, "a")] as [(String, String?, String?)])
  func twoSubcommandsMayHaveOptionsOfOneName(subcommand: String, path: String?, file: String?) throws {
    struct Both: OptionGroup {
      var path: String?
      var file: String?
      static let options: [Option<Self>] =
        [.value("--of", "PATH", .text("a path"), \.path, help: "A path.")].only(with: ["go"])
        + [.value("--of", "FILE", .text("a file"), \.file, help: "A file.")].only(with: ["halt"])
    }
    let program = Program<Both>(
      name: "sample", summary: "A sample.", usage: ["sample"],
      subcommands: [HelpEntry("go", "Go."), HelpEntry("halt", "Halt."), HelpEntry("open", "Open.")],
      options: Both.options, examples: [], signals: [])
    let options = try program.options([subcommand, "--of", "a"])
    #expect((options.path, options.file) == (path, file))
    #expect(throws: UsageError.self) { try program.parse(["open", "--of", "a"]) }
  }

  @Test func theInitialValueOfAPropertyIsTheDefault() throws {
    #expect(try options([]) == Options())
    #expect(Options.options.map(\.declaration.defaultText) == [nil, "2.5", nil, nil, "0", "16x16", nil])
    #expect(try options(["--rate", "3", "--on"]).rate == 3 && options(["--on"]).isOn)
  }

  @Test(arguments: [
    ["--at", "2s", "pause"], ["--at", "2s pause"], ["--at=2s pause"], ["--at=2s", "pause"],
    ["--at", " 2s  pause "],
  ]) func aValueOfTwoWordsIsTypedAsOneArgumentOrTwo(_ arguments: [String]) throws {
    #expect(try options(arguments).at == ["2s pause"])
  }

  @Test(arguments: [
    (["--colour"], "red"), (["--colour", "green"], "green"), (["--colour=green"], "green"),
    (["--colour", "--on"], "red"), (["--colour", "halt"], "red"),
  ]) func aWordAfterAnOptionIsItsValueIfItCanBe(_ arguments: [String], _ colour: String) throws {
    #expect(try Self.withSubcommands.options(arguments).colour?.rawValue == colour)
  }

  @Test(arguments: [
    ("sample ''", "--at --colour --force --help --on --path --rate --size --version --wait go halt open"),
    ("sample ha", "halt"),
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
    #expect((invocation.subcommand, invocation.passthrough) == ("go", ["--bogus", "--", "halt"]))
    #expect(invocation.has("--on") && !invocation.has("--path"))
  }

  @Test(arguments: [["open", "go"], ["--on", "open", "--path", "p", "go"]])
  func theWordAfterASubcommandWithAnOperandIsTheOperand(_ arguments: [String]) throws {
    let invocation = try Self.withSubcommands.parse(arguments)
    #expect(invocation.subcommand == "open" && invocation.operand == "go")
    #expect(try Self.withSubcommands.parse(["go"]).operand == nil)
  }

  /// Help takes precedence over invalid values and unknown options.
  @Test(arguments: [
    ("--help", withSubcommands.helpText()), ("-h", withSubcommands.helpText()),
    ("help", withSubcommands.helpText()), ("--help halt", withSubcommands.helpText()),
    ("--rate x --help", withSubcommands.helpText()), ("--help --nonsense", withSubcommands.helpText()),
    ("halt -h", withSubcommands.helpText(of: "halt")), ("help halt", withSubcommands.helpText(of: "halt")),
    ("--version", "sample 0.1.0"), ("-v", "sample 0.1.0"),
  ]) func helpAndVersionAreShown(line: String, text: String) throws {
    let words = line.split(separator: " ").map(String.init)
    #expect(try Self.withSubcommands.request(words) == .show(text))
  }

  @Test(
    arguments: RejectedCommandLine.table(
      """
      hal => There is no subcommand 'hal'; did you mean 'halt'?
      walk => There is no subcommand 'walk'; use 'go', 'halt' or 'open'.
      run => There is no subcommand 'run'; use 'other run'.
      --port 80 => There is no option '--port'; use 'other --port' or 'sample --path'.
      halt --paht p => There is no option '--paht'; did you mean '--path'?
      --pa p => There is no option '--pa'; did you mean '--path'?
      --verbosity => There is no option '--verbosity'.
      -x => There is no option '-x'.
      go --slots 3 => There is no option '--slots'; options for the program it starts go after '--'.
      completion fish => completion expects one of bash, zsh, not 'fish'.
      open => 'open' expects a file: 'sample open FILE'.
      open a b => 'open' takes only FILE; leave out 'b'.
      go a => 'go' takes only options that begin with '--', not 'a'; options for the program it starts go after '--'.
      go halt => A command line takes one subcommand, not both 'go' and 'halt'.
      halt --force => --force goes with 'go' or 'open', not with 'halt'.
      halt -- --on => Options after '--' go with 'go', not with 'halt'.
      --on --on => --on is given twice; leave one out.
      --on=yes => --on takes no value; leave out '--on=yes'.
      --path= => --path expects a file, not ''.
      --rate 0 => --rate expects a number from 1 to 9, not '0'.
      --rate nan => --rate expects a number from 1 to 9, not 'nan'.
      --rate -6 => --rate expects a number from 1 to 9, not '-6'.
      --colour=blue => --colour expects one of red, green, not 'blue'.
      --colour gren => --colour expects one of red, green, not 'gren'; did you mean 'green'?
      --wait 1e3 => --wait expects seconds from 0 to 9, or a time such as 500ms or 2m, not '1e3'.
      --size 0x0 => --size expects WIDTHxHEIGHT in even pixels from 16 to 64, such as 1080x720, not '0x0'.
      --size 63x48 => --size expects WIDTHxHEIGHT in even pixels from 16 to 64, such as 1080x720, not '63x48'; did you mean '62x48'?
      --rate 3 0 => --rate takes N; leave out '0', or quote the whole value.
      --path=my file => --path takes PATH; leave out 'file', or quote the whole value.
      """))
  func aWrongCommandLineIsRefusedWithOneSentence(_ refusal: RejectedCommandLine) {
    refusal.expect { try Self.withSubcommands.request($0) }
  }

  @Test func argumentsThatNobodyTakesAreRefused() {
    for (program, arguments, sentence) in [
      (Self.plain, [""], "This program takes only options that begin with '--', not ''."),
      (Self.withSubcommands, ["open", ""], "'open' expects a file, not ''."),
      (Self.plain, ["--", "--on"], "This program takes no arguments after '--'."),
    ] {
      let error = #expect(throws: UsageError.self) { try program.parse(arguments) }
      #expect(error?.message == sentence)
    }
  }
}
