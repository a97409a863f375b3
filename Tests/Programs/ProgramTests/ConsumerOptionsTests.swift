import AppProgram
import CommandLineSupport
import ContainingApp
import EmulatedSystem
import Platform
import ReplayKit
import ScreenBroadcast
import TestPatterns
import TestSupport
import Testing

@testable import consumer

@Suite struct ConsumerOptionsTests {
  private func options(_ line: String) throws -> ConsumerOptions? {
    guard case .run(let options) = try ConsumerOptions.parse(words(line)) else { return nil }
    return options
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  @Test func anEmptyCommandLineWatchesAtTheDefaults() throws {
    let options = try #require(try options(""))
    #expect(options.subcommand == .watch)
    #expect(options.pace.wait == nil)
    #expect(options.pace.statusInterval == .milliseconds(500))
    #expect(options.watch.pollsPerSecond == 30)
    #expect(options.showing.frames.outputSize == .fixed(width: 1080, height: 720))
    #expect(options.showing.frames.fit == .crop)
    #expect(!options.showing.frames.verify && !options.watch.once)
    #expect(options.showing.frames.y4m == nil)
    #expect(options.showing.snapshot == nil)
  }

  @Test(arguments: [
    ("watch", Subcommand.watch, nil), ("start", .start, Duration.seconds(10)),
    ("stop", .stop, .seconds(10)), ("status", .status, .zero), ("--json status", .status, .zero),
    ("stop --wait 2.5", .stop, .milliseconds(2500)),
  ])
  func eachSubcommandHasItsOwnDefaultWait(_ line: String, _ verb: Subcommand, _ wait: Duration?) throws {
    let options = try #require(try options(line))
    #expect(options.subcommand == verb)
    #expect(options.pace.wait == wait)
  }

  @Test func theLineOfAPagesCommandIsForATerminal() {
    var options = CommonOptions()
    #expect(options.line("consumer stop") == "consumer stop")
    options.container = "/a b"
    #expect(
      options.line("consumer start", ["--", "--pattern=app"])
        == "consumer start '--container=/a b' -- --pattern=app")
    #expect(
      options.line("producer control", ["a'$(b)"])
        == #"producer control '--container=/a b' 'a'\''$(b)'"#)
  }

  @Test func aPageStartsWithADeviceAndAPatternAndNamesNoFile() throws {
    #expect(
      try ConsumerProgram.arguments(of: "consumer start -- --device=iphone-15 --pattern=bars")
        == ["--device=iphone-15", "--pattern=bars"])
    #expect(try ConsumerProgram.arguments(of: "consumer start") == [])
    for text in ["--record-trace=/file", "--pattern=/file", "--pattern", "extra", "--device=none"] {
      #expect(throws: UsageError.self, "\(text)") {
        try ConsumerProgram.arguments(of: "consumer start -- --pattern=bars \(text)")
      }
    }
  }

  @Test func framesGoToFilesOrToStandardOutput() throws {
    #expect(try options("")?.showing.streamsToStandardOutput == false)
    for option in ["--y4m", "--snapshot"] {
      #expect(try options("\(option) a")?.showing.streamsToStandardOutput == false)
      #expect(try options("\(option) -")?.showing.streamsToStandardOutput == true)
    }
  }

  @Test func everyWatchOptionTakesItsValue() throws {
    let line =
      "--poll-fps 60 --status-interval 0.01 --output-size native --fit contain --verify --y4m out.y4m "
      + "--snapshot s.png --once --duration 3 --frames 9"
    let options = try #require(try options(line))
    #expect(options.watch.pollsPerSecond == 60)
    #expect(options.pace.statusInterval == .milliseconds(10))
    #expect(!options.watch.wake)
    #expect(options.showing.frames.outputSize == .native)
    #expect(options.showing.frames.fit == .contain)
    #expect(options.showing.frames.verify && options.watch.once)
    #expect(options.showing.frames.y4m == "out.y4m")
    #expect(options.showing.snapshot == "s.png")
    #expect(options.showing.limits.duration == .seconds(3))
    #expect(options.showing.limits.frames == 9)
    #expect(try self.options("--y4m -")?.showing.frames.y4m == "-")
    #expect(
      try self.options("--output-size 640x360")?.showing.frames.outputSize == .fixed(width: 640, height: 360))
  }

  @Test func theDefaultLayoutIsTheRing() throws {
    #expect(try options("")?.watch.layout == .ring)
    #expect(try options("--layout article --verify")?.watch.layout == .article)
  }

  @Test func wakeIsAFlagAndReceivesAtTheRateOfTheCall() throws {
    #expect(try options("--wake")?.watch.wake == true)
    #expect(try options("--wake --once")?.watch.once == true)
    #expect(try options("--wake")?.framesPerSecond == 60)
    #expect(try options("--poll-fps 24")?.framesPerSecond == 24)
  }

  @Test func startPassesOnTheArgumentsAfterTheTwoHyphens() throws {
    let options = try #require(
      try options("start --container /c --producer ./p -- --fps 30 --json --help stop"))
    #expect(options.start.producer == "./p")
    #expect(options.start.producerArguments == ["--fps", "30", "--json", "--help", "stop"])
    #expect(!options.common.json)
    #expect(
      options.common.sharedArguments == ["--container=/c", "--group=group.com.example.screenshare.dev"])
    // A container of the environment is named for programs and terminals without it.
    #expect(CommonOptions.containerOption(of: ["BROADCAST_CONTAINER": "/c"]) == ["--container=/c"])
    #expect(CommonOptions.containerOption(of: [:]) == [])
  }

  @Test(
    arguments: Refusal.table(
      """
      broadcast => There is no subcommand 'broadcast'; use 'producer'.
      serve => There is no subcommand 'serve'; use 'consumer --serve'.
      --port 8080 => There is no option '--port'; use 'consumer --serve=PORT'.
      stop --force => There is no option '--force'; use 'broadcast doctor --fix'.
      start -- --group=group.a => --group goes before '--', as consumer passes it to the producer; move it there.
      --json --y4m - => --y4m would overwrite standard output, which --json prints; name another file.
      --y4m a.out --snapshot ./a.out => --snapshot would overwrite './a.out', which --y4m writes; name another file.
      --report a --junit a => --junit would overwrite 'a', which --report writes; name another file.
      --y4m - --snapshot /dev/stdout => --snapshot would overwrite standard output, which --y4m writes; name another file.
      --wait -1 => --wait expects seconds from 0 to 1000000, or a time such as 500ms or 2m, not '-1'.
      --status-interval 0.009 => --status-interval expects seconds from 0.01 to 60, or a time such as 500ms or 2m, not '0.009'.
      --wake --poll-fps 60 => --wake receives every frame and --poll-fps polls for frames; leave one out.
      --poll-fps 241 => --poll-fps expects a number from 1 to 240, not '241'.
      --output-size big => --output-size expects native or WIDTHxHEIGHT in even pixels from 16 to 8192, such as 1080x720, not 'big'.
      --layout article --wake => --wake needs the ring, and the layout is 'article'; leave one out.
      check --only lock => There is no subcommand 'check'; use 'broadcast check'.
      --serve 80800 => --serve expects a port from 0 to 65535, not '80800'.
      control pause => There is no subcommand 'control'; use 'producer control'.
      --size 160x120 => There is no option '--size'.
      start --pattern proof => There is no option '--pattern'; options for the program it starts go after '--'.
      capture => There is no subcommand 'capture'; use 'capturer'.
      doctor --fix => There is no subcommand 'doctor'; use 'broadcast doctor'.
      """))
  func aWrongCommandLineIsRefusedWithOneSentence(_ refusal: Refusal) {
    refusal.expect { try ConsumerOptions.parse($0) }
  }

  /// One sentence each, in the words of `ProgramParseTests` and `NamedFileTests`.
  @Test(arguments: [
    (
      " goes with ",
      [
        "stop --fit crop", "status --frames 3", "--producer p",
        "stop --snapshot s.png", "--fit crop start",
      ]
    ),
    (" expects one of ", ["--fit stretch", "--layout slot"]),
    (" expects ", ["--snapshot=", "--y4m="]),
    (
      " would overwrite ",
      ["--y4m - --json", "--snapshot - --json", "--snapshot - --y4m -"]
    ),
  ])
  func theSharedParserRefusesThem(_ part: String, _ lines: [String]) {
    for line in lines {
      let error = #expect(throws: UsageError.self) { try ConsumerOptions.parse(words(line)) }
      #expect(error?.message.contains(part) == true, "\(line): \(error?.message ?? "")")
    }
  }

  @Test func theHelpNamesEverySubcommand() {
    #expect(ConsumerOptions.program.subcommands.map(\.term) == Subcommand.allCases.map(\.rawValue))
  }

  @Test(arguments: [
    ("--help", ConsumerOptions.program.helpText()),
    ("--help stop", ConsumerOptions.program.helpText()),
    ("help", ConsumerOptions.program.helpText()),
    ("stop -h", ConsumerOptions.program.helpText(of: "stop")), ("--version", "consumer 0.1.0"),
    ("help stop", ConsumerOptions.program.helpText(of: "stop")), ("-v", "consumer 0.1.0"),
  ])
  func helpAndVersionAreShown(_ line: String, _ text: String) throws {
    #expect(try ConsumerOptions.parse(words(line)) == .show(text))
  }
}
