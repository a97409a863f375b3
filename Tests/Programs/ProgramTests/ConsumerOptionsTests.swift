import AppProgram
import ContainingApp
import EmulatedSystem
import ReplayKit
import ScreenBroadcast
import TestPatterns
import TestSupport

@testable import consumer

@Suite struct ConsumerOptionsTests {
  private func options(_ line: String) throws -> ConsumerOptions { try ConsumerOptions.program.options(line) }

  @Test func anEmptyCommandLineWatchesAtTheDefaults() throws {
    let options = try options("")
    #expect(options == ConsumerOptions())
    #expect((options.subcommand, options.watch.pollsPerSecond, options.watch.layout) == (.watch, 30, .ring))
    #expect((options.pace.wait, options.pace.statusInterval) == (nil, .milliseconds(500)))
    let frames = options.showing.frames
    #expect((frames.outputSize, frames.fit) == (.fixed(width: 1080, height: 720), .crop))
  }

  @Test(arguments: [
    ("watch", Subcommand.watch, nil), ("start", .start, Duration.seconds(10)),
    ("stop", .stop, .seconds(10)), ("status", .status, .zero), ("--json status", .status, .zero),
    ("stop --wait 2.5", .stop, .milliseconds(2500)),
  ]) func eachSubcommandHasItsOwnDefaultWait(line: String, verb: Subcommand, wait: Duration?) throws {
    let options = try options(line)
    #expect((options.subcommand, options.pace.wait) == (verb, wait))
  }

  @Test func theLineOfAPagesCommandIsForATerminal() {
    var options = CommonOptions()
    #expect(options.line("consumer stop") == "consumer stop")
    options.container = "/a b"
    #expect(
      options.line("consumer start", ["--", "--pattern=app"])
        == "consumer start '--container=/a b' -- --pattern=app")
    #expect(
      options.line("producer control", ["a'$(b)"]) == #"producer control '--container=/a b' 'a'\''$(b)'"#)
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

  @Test(arguments: [
    ("", false), ("--y4m a", false), ("--snapshot a", false), ("--y4m -", true), ("--snapshot -", true),
  ]) func framesGoToFilesOrToStandardOutput(line: String, areStreamed: Bool) throws {
    #expect(try options(line).showing.streamsToStandardOutput == areStreamed)
  }

  @Test func everyWatchOptionTakesItsValue() throws {
    let line =
      "--poll-fps 60 --status-interval 0.01 --output-size native --fit contain --verify --y4m out.y4m "
      + "--snapshot s.png --once --duration 3 --frames 9 --layout article"
    var expected = ConsumerOptions()
    (expected.watch.pollsPerSecond, expected.watch.once, expected.watch.layout) = (60, true, .article)
    expected.pace.statusInterval = .milliseconds(10)
    (expected.showing.frames.outputSize, expected.showing.frames.fit) = (.native, .contain)
    (expected.showing.frames.verify, expected.showing.frames.y4m) = (true, "out.y4m")
    expected.showing.snapshot = "s.png"
    (expected.showing.limits.duration, expected.showing.limits.frames) = (.seconds(3), 9)
    #expect(try options(line) == expected)
    #expect(try options("--output-size 640x360").showing.frames.outputSize == .fixed(width: 640, height: 360))
  }

  @Test(arguments: [("--wake", true, 60), ("--wake --once", true, 60), ("--poll-fps 24", false, 24)])
  func wakeIsAFlagAndReceivesAtTheRateOfTheCall(line: String, wakes: Bool, rate: Double) throws {
    let options = try options(line)
    #expect((options.watch.wake, options.framesPerSecond) == (wakes, rate))
  }

  @Test func startPassesOnTheArgumentsAfterTheTwoHyphens() throws {
    let options = try options("start --container /c --producer ./p -- --fps 30 --json --help stop")
    #expect((options.start.producer, options.common.json) == ("./p", false))
    #expect(options.start.producerArguments == ["--fps", "30", "--json", "--help", "stop"])
    #expect(
      options.common.sharedArguments == ["--container=/c", "--group=group.com.example.screenshare.dev"])
    // A container from the environment becomes an option, for programs and terminals without the variable.
    #expect(CommonOptions.containerOption(of: ["BROADCAST_CONTAINER": "/c"]) == ["--container=/c"])
    #expect(CommonOptions.containerOption(of: [:]) == [])
  }

  @Test(
    arguments: RejectedCommandLine.table(
      """
      broadcast => There is no subcommand 'broadcast'; use 'producer'.
      serve => There is no subcommand 'serve'; use 'consumer --serve'.
      --port 8080 => There is no option '--port'; use 'consumer --serve=PORT'.
      stop --force => There is no option '--force'; use 'broadcast doctor --fix'.
      start -- --group=group.a => --group belongs before '--', because consumer passes it to the producer; move it there.
      --json --y4m - => --y4m would overwrite stdout, which --json prints; name another file.
      --snapshot - --json => --snapshot would overwrite stdout, which --json prints; name another file.
      stop --fit crop => --fit goes with …
      --y4m a.out --snapshot ./a.out => --snapshot would overwrite './a.out', which --y4m writes; name another file.
      --report a --junit a => --junit would overwrite 'a', which --report writes; name another file.
      --y4m - --snapshot /dev/stdout => --snapshot would overwrite stdout, which --y4m writes; name another file.
      --status-interval 0.009 => --status-interval expects seconds from 0.01 to 60, or a time such as 500ms or 2m, not '0.009'.
      --wake --poll-fps 60 => --wake and --poll-fps cannot be combined: --wake receives every frame without polls.
      --poll-fps 241 => --poll-fps expects a number from 1 to 240, not '241'.
      --output-size big => --output-size expects native or WIDTHxHEIGHT in even pixels from 16 to 8192, such as 1080x720, not 'big'.
      --layout article --wake => --wake needs the ring, and cannot be combined with the layout 'article'.
      check --only lock => There is no subcommand 'check'; use 'broadcast check'.
      --serve 80800 => --serve expects a port from 0 to 65535, not '80800'.
      control pause => There is no subcommand 'control'; use 'producer control'.
      start --pattern proof => There is no option '--pattern'; options for the program it starts go after '--'.
      capture => There is no subcommand 'capture'; use 'capturer'.
      doctor --fix => There is no subcommand 'doctor'; use 'broadcast doctor'.
      """))
  func aWrongCommandLineIsRefusedWithOneSentence(_ refusal: RejectedCommandLine) {
    refusal.expect { try ConsumerOptions.parse($0) }
  }

  @Test func theHelpNamesEverySubcommand() {
    #expect(ConsumerOptions.program.subcommands.map(\.term) == Subcommand.allCases.map(\.rawValue))
  }
}
