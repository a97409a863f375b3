import CommandLineSupport
import ContainingApp
import EmulatedSystem
import ReplayKit
import ScreenBroadcast
import TestPatterns
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
    #expect(options.verb == .watch)
    #expect(options.wait == nil)
    #expect(options.statusInterval == .milliseconds(500))
    #expect(options.pollsPerSecond == 30)
    #expect(options.outputSize == .fixed(width: 1080, height: 720))
    #expect(options.fit == .crop)
    #expect(!options.verify && !options.preview && !options.once)
    #expect(options.y4m == nil)
    #expect(options.snapshot == nil)
  }

  @Test(arguments: [
    ("watch", ConsumerVerb.watch, nil), ("start", .start, Duration.seconds(10)),
    ("stop", .stop, .seconds(10)), ("status", .status, .zero), ("--json status", .status, .zero),
    ("stop --wait 2.5", .stop, .milliseconds(2500)),
  ])
  func everyVerbHasItsOwnPatience(_ line: String, _ verb: ConsumerVerb, _ wait: Duration?) throws {
    let options = try #require(try options(line))
    #expect(options.verb == verb)
    #expect(options.wait == wait)
  }

  @Test func theDoctorMendsOnlyOnDemand() throws {
    #expect(try options("doctor")?.fix == false)
    let options = try #require(try options("doctor --fix --json"))
    #expect(options.verb == .doctor)
    #expect(options.fix && options.common.json)
  }

  @Test func soundGoesIntoFilesOrToStandardOutput() throws {
    let silent = try #require(try options(""))
    #expect(silent.wav == nil && silent.micWav == nil && !silent.streamsToStandardOutput)
    let both = try #require(try options("--wav app.wav --mic-wav mic.wav"))
    #expect(both.wav == "app.wav" && both.micWav == "mic.wav" && !both.streamsToStandardOutput)
    #expect(try options("--wav -")?.streamsToStandardOutput == true)
  }

  @Test(arguments: [
    "--wav - --json", "--wav - --mic-wav -", "--y4m - --wav -", "--mic-wav - --preview",
    "--wav a --mic-wav a",
    "stop --wav a", "--wav",
  ])
  func soundThatHasNoPlaceOfItsOwnIsRefused(_ line: String) {
    #expect(throws: UsageError.self) { try ConsumerOptions.parse(words(line)) }
  }

  @Test func everyWatchOptionTakesItsValue() throws {
    let line =
      "--poll-fps 60 --status-interval 0.01 --output-size native --fit contain --verify --y4m out.y4m "
      + "--snapshot s.png --preview --once --duration 3 --frames 9"
    let options = try #require(try options(line))
    #expect(options.pollsPerSecond == 60)
    #expect(options.statusInterval == .milliseconds(10))
    #expect(options.wake == nil && !options.lease)
    #expect(options.outputSize == .native)
    #expect(options.fit == .contain)
    #expect(options.verify && options.preview && options.once)
    #expect(options.y4m == .file(path: "out.y4m"))
    #expect(options.snapshot == "s.png")
    #expect(options.common.duration == .seconds(3))
    #expect(options.common.frames == 9)
    #expect(try self.options("--y4m -")?.y4m == .standardOutput)
    #expect(
      try self.options("--output-size 640x360")?.outputSize == .fixed(width: 640, height: 360))
  }

  @Test func captureHasAScreenAndAScript() throws {
    let plain = try #require(try options("capture"))
    #expect(plain.verb == .capture && plain.wait == nil && plain.framesPerSecond == 24)
    #expect(plain.screen.source == .pattern(.bars, size: Size(width: 1080, height: 720)))
    #expect(plain.capture == CaptureScript(permission: .granted))
    let options = try #require(
      try options(
        "capture --pattern proof --device ipad --orientation left --fps 30 --verify --permission call "
          + "--background 1.5 --interrupt 3 --start-again 0 --y4m - --frames 9"))
    #expect(options.screen.source == .pattern(.proof, size: Size(width: 1640, height: 2360)))
    #expect(options.screen.orientation == .left && options.screen.framesPerSecond == 30)
    #expect(
      options.capture
        == CaptureScript(
          permission: .call, background: .milliseconds(1500), interruption: .seconds(3), secondStart: .zero))
    #expect(options.verify && options.y4m == .standardOutput && options.common.frames == 9)
  }

  @Test func startTakesAnExtensionFromAFolder() throws {
    let options = try #require(try options("start --extensions e --extension com.example.one -- --fps 30"))
    #expect(options.extensions == "e" && options.extension == "com.example.one" && options.producer == nil)
    #expect(try !options.microphone && self.options("start --microphone")?.microphone == true)
    #expect(options.producerArguments == ["--fps", "30"])
  }

  @Test func inspectTakesAFileAndAPlaceForItsPicture() throws {
    let options = try #require(try options("inspect frames.ring --snapshot s.png --json"))
    #expect(options.verb == .inspect && options.inspectedFile == "frames.ring")
    #expect(options.snapshot == "s.png" && options.common.json)
    #expect(try self.options("inspect stop")?.inspectedFile == "stop")
  }

  @Test func theLayoutIsTheRingUnlessToldOtherwise() throws {
    #expect(try options("")?.layout == .ring)
    #expect(try options("--layout article --verify")?.layout == .article)
  }

  @Test func wakeGoesWithoutAValueOrWithOneBehindAnEqualsSign() throws {
    #expect(try options("--wake")?.wake == .wake)
    #expect(try options("--wake=early --lease")?.wake == .early)
    #expect(try options("--wake --once")?.once == true)
    #expect(try options("--wake")?.framesPerSecond == 60)
    #expect(try options("--poll-fps 24 --lease")?.lease == true)
    #expect(try options("--poll-fps 24")?.framesPerSecond == 24)
  }

  @Test func startHandsOnWhatStandsBehindTheTwoHyphens() throws {
    let options = try #require(
      try options("start --container /c --producer ./p -- --fps 30 --json --help stop"))
    #expect(options.producer == "./p")
    #expect(options.producerArguments == ["--fps", "30", "--json", "--help", "stop"])
    #expect(!options.common.json)
    #expect(
      options.common.sharedArguments == ["--container=/c", "--group=group.com.example.screenshare.dev"])
  }

  @Test(arguments: [
    ("statu", "There is no verb 'statu'; did you mean 'status'?"),
    (
      "broadcast",
      "There is no verb 'broadcast'; it knows 'watch', 'capture', 'start', 'stop', 'status', 'inspect' or 'doctor'."
    ),
    ("start stop", "Only one verb fits a command line, not both 'start' and 'stop'."),
    ("stop --fit crop", "--fit goes with 'watch' or 'capture', not with 'stop'."),
    (
      "--fit crop start",
      "--fit goes with 'watch' or 'capture', not with 'start'; options for the program it starts go after '--'."
    ),
    ("status --fix", "--fix goes with 'doctor', not with 'status'."),
    (
      "doctor --wait 3",
      "--wait goes with 'watch', 'start', 'stop' or 'status', not with 'doctor'."
    ),
    ("status --frames 3", "--frames goes with 'watch' or 'capture', not with 'status'."),
    ("--producer p", "--producer goes with 'start', not with 'watch'."),
    ("stop -- --fps 3", "Options after '--' go with 'start', not with 'stop'."),
    (
      "start --pattern proof",
      "--pattern goes with 'capture', not with 'start'; options for the program it starts go after '--'."
    ),
    (
      "start --slots 3",
      "There is no option '--slots'; options for the program it starts go after '--'."
    ),
    (
      "start -- --group=group.a",
      "--group goes before '--', as consumer hands it to the producer; move it there."
    ),
    ("--json --y4m -", "--json and --y4m - both want standard output; leave one out."),
    ("--preview --y4m=-", "--y4m - and --preview both want standard output; leave one out."),
    ("--preview --json", "--json and --preview both want standard output; leave one out."),
    ("--fit stretch", "--fit wants one of crop, contain, not 'stretch'."),
    ("--wait -1", "--wait wants seconds from 0 to 1000000, not '-1'."),
    ("--wait inf", "--wait wants seconds from 0 to 1000000, not 'inf'."),
    ("--status-interval 0.009", "--status-interval wants seconds from 0.01 to 60, not '0.009'."),
    ("--wake=late", "--wake wants one of wake, early, not 'late'."),
    (
      "--wake early",
      "There is no verb 'early'; it knows 'watch', 'capture', 'start', 'stop', 'status', 'inspect' or 'doctor'."
    ),
    (
      "--wake --poll-fps 60",
      "--wake takes every frame and --poll-fps looks at fixed times; leave one out."
    ),
    ("--poll-fps 241", "--poll-fps wants a number from 1 to 240, not '241'."),
    (
      "--output-size big",
      "--output-size wants native or WIDTHxHEIGHT in even pixels from 16 to 8192, such as 1080x720, not 'big'."
    ),
    ("inspect", "'inspect' wants a file: 'consumer inspect FILE'."),
    ("inspect a b", "'inspect' takes one FILE, not both 'a' and 'b'."),
    (
      "inspect a --container c",
      "--container goes with 'watch', 'start', 'stop', 'status' or 'doctor', not with 'inspect'."
    ),
    ("inspect a --verify", "--verify goes with 'watch' or 'capture', not with 'inspect'."),
    ("--layout article --wake", "--wake needs the ring, which the layout 'article' has not; leave one out."),
    (
      "--layout article --lease", "--lease needs the ring, which the layout 'article' has not; leave one out."
    ),
    ("--layout slot", "--layout wants one of ring, article, not 'slot'."),
    ("stop --snapshot s.png", "--snapshot goes with 'watch', 'capture' or 'inspect', not with 'stop'."),
    ("--snapshot=", "--snapshot wants a file, not ''."),
    ("capture --once", "--once goes with 'watch', not with 'capture'."),
    (
      "capture --container c",
      "--container goes with 'watch', 'start', 'stop', 'status' or 'doctor', not with 'capture'."
    ),
    ("--size 160x120", "--size goes with 'capture', not with 'watch'."),
    ("capture --size 16x16 --device ipad", "--size and --device both give the size; leave one out."),
    ("capture --permission maybe", "--permission wants one of granted, denied, disabled, call, not 'maybe'."),
    ("capture --background soon", "--background wants seconds from 0 to 1000000, not 'soon'."),
    ("capture --json --preview", "--json and --preview both want standard output; leave one out."),
    (
      "start --extension a --producer p",
      "--extension and --producer both say what to launch; leave one out."
    ),
    (
      "start --extensions a --producer p",
      "--extensions and --producer both say what to launch; leave one out."
    ),
    (
      "start --microphone --producer p",
      "--microphone is the picker's, and --producer goes without one; leave one out."
    ),
    ("start --extension=", "--extension wants a bundle identifier, not ''."),
    ("--y4m=", "--y4m wants a file, or - for standard output, not ''."),
  ])
  func aBadCommandLineIsAnsweredWithOneSentence(_ line: String, _ sentence: String) {
    let error = #expect(throws: UsageError.self) { try ConsumerOptions.parse(words(line)) }
    #expect(error?.message == sentence)
  }

  @Test func theVerbsOfTheHelpAreTheVerbsThereAre() {
    #expect(ConsumerOptions.program.verbs.map(\.term) == ConsumerVerb.allCases.map(\.rawValue))
  }

  @Test(arguments: ["--help", "stop -h", "--version"])
  func helpAndVersionAreShown(_ line: String) throws {
    let text = line == "--version" ? "consumer 0.1.0" : ConsumerOptions.program.helpText
    #expect(try ConsumerOptions.parse(words(line)) == .show(text))
  }
}
