import EmulatedDevice
import ReplayKit
import TestPatterns
import TestSupport

@testable import BroadcastExtension
@testable import EmulatedSystem

@Suite struct ProducerOptionsTests {
  private func options(_ line: String) throws -> ProducerOptions { try ProducerOptions.program.options(line) }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  @Test func anEmptyCommandLineBroadcastsColourBarsAtTheDefaults() throws {
    let options = try options("")
    #expect((options, options.slots, options.memoryLimit) == (ProducerOptions(), 3, 50 << 20))
    #expect(options.common.group == "group.com.example.screenshare.dev")
    let screen = options.screen
    #expect((screen.pattern, screen.patternSize) == (.bars, PixelSize(width: 886, height: 1918)))
    #expect((screen.orientation, screen.format, screen.ios.major) == (.up, .fullRange, 26))
  }

  @Test(arguments: [
    ("--pattern proof", TestPattern.proof, 886, 1918), ("--pattern=noise --size 16x8192", .noise, 16, 8192),
    ("--device iPhone-15", .bars, 886, 1918), ("--device iphone15 --panel", .bars, 1179, 2556),
    ("--panel", .bars, 1179, 2556), ("--device=ipad", .bars, 1640, 2360),
  ]) func aPatternHasASizeOfItsOwnOrOfADevice(line: String, pattern: TestPattern, width: Int, height: Int)
    throws
  {
    let screen = try options(line).screen
    #expect((screen.pattern, screen.patternSize) == (pattern, PixelSize(width: width, height: height)))
  }

  @Test func theListOfDevicesIsPrintedInsteadOfABroadcast() throws {
    #expect(try ProducerOptions.parse(["--list-devices"]) == .show(DeviceProfile.list))
  }

  @Test(arguments: [("26", 26), ("12", 12), ("17.4.1", 17), ("iOS 18", 18), ("ios11", 11)])
  func aVersionOfIOSIsItsMajorNumber(text: String, major: Int) throws {
    let ios = try ProducerOptions.program.options(["--ios", text]).screen.ios
    let name = text.contains(".") ? text : "\(major).0"
    #expect((ios.major, ios.text, ios.framesPerSecond) == (major, name, major <= 13 ? 30 : 60))
  }

  @Test(arguments: ["10", "19", "25", "", "x", "-12", "17.", ".1", "iOS"])
  func aVersionOfIOSWithoutBroadcastExtensionsIsRefused(text: String) {
    let error = #expect(throws: UsageError.self) { try ProducerOptions.parse(["--ios", text]) }
    #expect(
      text.isEmpty || error?.message == "--ios expects a version of iOS: 11 to 18, or 26, not '\(text)'.")
  }

  @Test(arguments: [
    ("--source y4m:a=b.y4m", "a=b.y4m", false), ("--loop --source=y4m:clip", "clip", true),
    ("--source y4m:-", "-", false),
  ]) func aClipIsAFileOrStandardInput(line: String, path: String, loops: Bool) throws {
    let screen = try options(line).screen
    #expect((screen.clip, screen.loops) == (path, loops))
  }

  @Test(arguments: [
    ("", AudioSource.silence, AudioSource.off), ("--app-audio tone --mic=silence", .tone, .silence),
    ("--app-audio off --mic silence", .off, .silence),
  ])
  func appAudioIsSilentAndTheMicrophoneOffByDefault(line: String, app: AudioSource, mic: AudioSource) throws {
    let options = try options(line)
    #expect((options.appAudio, options.microphone) == (app, mic))
  }

  @Test(arguments: [("1", 1 << 20), ("12.5", 25 << 19), ("1048576", 1 << 40), ("off", nil)])
  func theMemoryLimitIsInMiBOrOff(text: String, bytes: UInt64?) throws {
    #expect(try options("--memory-limit \(text)").memoryLimit == bytes)
  }

  @Test(arguments: ["0", "0.99", "-50", "50M", "1048577", "OFF", "1e2", "nan", ""])
  func anotherMemoryLimitIsRefused(text: String) {
    #expect(throws: UsageError.self) { try ProducerOptions.parse(["--memory-limit=\(text)"]) }
  }

  @Test func everyOptionTakesItsValue() throws {
    let line =
      "--fps 29.97 --orientation leftMirrored --format 420v --slots 8 --duration 0.1 --frames 7 "
      + "--container /c --group group.a.b --environment prod --json --quiet --info-plist /a/Info.plist"
    var expected = ProducerOptions()
    expected.screen.framesPerSecond = 29.97
    expected.screen.orientation = .leftMirrored
    expected.screen.format = .videoRange
    expected.slots = 8
    expected.infoPlist = "/a/Info.plist"
    (expected.limits.duration, expected.limits.frames) = (.milliseconds(100), 7)
    let options = try options(line)
    let common = options.common
    expected.common = common
    #expect(options == expected)
    #expect((common.container, common.group, common.environment) == ("/c", "group.a.b", .prod))
    #expect(common.json && common.quiet)
  }

  @Test(
    arguments: RejectedCommandLine.table(
      """
      --size 1081x720 => --size expects WIDTHxHEIGHT in even pixels from 16 to 8192, such as 1080x720, not '1081x720'; did you mean '1080x720'?
      --fps 0 => --fps expects a number from 1 to 240, not '0'.
      --slots 9 => --slots expects a whole number from 2 to 8, not '9'.
      --layout article --slots 3 => --slots cannot be combined with the layout 'article', which has one slot.
      --duration 0 => --duration expects seconds from 0.001 to 1000000, or a time such as 500ms or 2m, not '0'.
      --frames 0 => --frames expects a whole number from 1 to 1000000000, not '0'.
      --container= => --container expects a folder, not ''.
      --group= => --group expects an app group identifier, such as 'group.com.example.screenshare', not ''.
      --source y4m: => --source expects y4m:PATH, or y4m:- for stdin, not 'y4m:'.
      --pattern bars --source y4m:- => --pattern and --source cannot be combined: both set the content of the screen.
      --source y4m:- --size 16x16 => --size cannot be combined with --source, because a clip has a fixed size.
      --source y4m:- --device ipad => --device cannot be combined with --source, because a clip has a fixed size.
      --size 16x16 --device ipad => --size and --device cannot be combined: both set the size.
      --size 16x16 --panel => --size and --panel cannot be combined: both set the size.
      --source y4m:- --panel => --panel cannot be combined with --source, because a clip has a fixed size.
      --loop => --loop repeats a clip; add --source y4m:PATH.
      --loop --source y4m:- => --loop needs a file, because stdin cannot be read twice; leave --loop out.
      --at 1s rotate:landscapeLeft => 'rotate:NAME' expects one of up, upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left, not 'landscapeLeft'; did you mean 'rotate:left'?
      --source movie(1).mp4 => --source expects y4m:PATH, or y4m:- for stdin, not 'movie(1).mp4'; make a clip with: ffmpeg -i 'movie(1).mp4' -pix_fmt yuv420p clip.y4m, then --source y4m:clip.y4m.
      --source clip.y4m => --source expects y4m:PATH, or y4m:- for stdin, not 'clip.y4m'; did you mean 'y4m:clip.y4m'?
      --ios 27 => --ios expects a version of iOS: 11 to 18, or 26, not '27'; from iOS 27 on an app captures with ScreenCaptureKit: 'capturer --framework screencapturekit'.
      --ios iOS27.1 => --ios expects a version of iOS: 11 to 18, or 26, not 'iOS27.1'; from iOS 27 on an app captures with ScreenCaptureKit: 'capturer --framework screencapturekit'.
      --device nokia => --device expects a device of --list-devices, not 'nokia'.
      --device iphone-15-por => --device expects a device of --list-devices, not 'iphone-15-por'; did you mean 'iphone-15-pro'?
      --orientation sideways => --orientation expects one of up, upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left, not 'sideways'.
      --permission camera:denied => --permission expects photos, notifications or microphone, and granted or denied, as in photos:denied, not 'camera:denied'.
      serve => There is no subcommand 'serve'; use 'consumer --serve'.
      --at soon pause => --at expects a time such as 2s, 500ms or 1m, up to 1000000s, not 'soon'.
      --at 2s paus => There is no event 'paus'; did you mean 'pause'?
      --setup-info room => --setup-info expects a key and a value, as in 'room=42', not 'room'.
      --setup-info =42 => --setup-info expects a key and a value, as in 'room=42', not '=42'.
      start => There is no subcommand 'start'; use 'consumer start'.
      --verify => There is no option '--verify'; use 'consumer --verify'.
      control dance => There is no event 'dance'; the events are …
      --report a --junit a => --junit would overwrite 'a', which --report writes; name another file.
      --record-trace - => --record-trace expects a file, not '-'.
      --report a --record-trace a => --report would overwrite 'a', which --record-trace writes; name another file.
      --source y4m:a --report a => --report would overwrite 'a', which --source reads; name another file.
      --source y4m:a --record-trace a => --record-trace would overwrite 'a', which --source reads; name another file.
      --trace a --report a => --report would overwrite 'a', which --trace reads; name another file.
      --trace a --record-trace a => --record-trace would overwrite 'a', which --trace reads; name another file.
      """))
  func aWrongCommandLineIsRefusedWithOneSentence(_ refusal: RejectedCommandLine) {
    refusal.expect { try ProducerOptions.parse($0) }
  }

  @Test(arguments: [
    "--source y4m:a", "--size 64x48", "--device ipad", "--panel", "--orientation left", "--fps 30",
    "--format 420v", "--app-audio tone", "--mic off", "--at 1s rotate:left", "--at 1s pause",
    "--record-trace trace.jsonl",
  ]) func whatATraceDecidesIsNoOptionBesideIt(_ line: String) throws {
    #expect(throws: UsageError.self) { try ProducerOptions.parse(words("--trace trace.jsonl " + line)) }
  }

  @Test func whatATraceDoesNotDecideGoesWithIt() throws {
    let line = "--trace a --pattern proof --at 1s slow:0.1 --duration 2 --record-trace b"
    let trace = try options(line).trace
    #expect((trace.replayed, trace.recording) == ("a", "b"))
  }

  @Test func anEventWithABlankBeforeItsValueIsCorrected() {
    let error = #expect(throws: UsageError.self) { try ProducerOptions.parse(["--at", "2s", "slow 0.05"]) }
    #expect(error?.message == "There is no event 'slow 0.05'; did you mean 'slow:0.05'?")
  }

  @Test func theProgramOfAnotherExtensionHasTheSameOptionsUnderItsName() throws {
    let program = ProducerOptions.program(named: "MyExtension")
    // Only `producer` creates packages.
    let imports = ["--to DIR", "--add PATH", "--without FILE", "--target NAME", "--emulator PACKAGE"]
    #expect(
      program.options.map(\.usage)
        == ProducerOptions.program.options.map(\.usage).filter { !imports.contains($0) })
    let error = #expect(throws: UsageError.self) { try program.request(["import", "Upload"]) }
    #expect(error?.message.contains("broadcast import") == true)
    #expect(try program.request(["--version"]) == .show("MyExtension 0.1.0"))
    #expect(program.helpText(of: "broadcast").contains("  MyExtension [broadcast] [OPTIONS]"))
    #expect(!program.helpText().contains("producer"))
  }

  @Test func eventsAndSetupValuesAreKeptInOrder() throws {
    let line = "--at 2s pause --setup-info room=42 --at 500ms rotate:left --setup-info a=b=c"
    let options = try options(line)
    #expect(
      options.schedule == [
        ScheduledEvent(time: .seconds(2), event: "pause"),
        ScheduledEvent(time: .milliseconds(500), event: "rotate:left"),
      ])
    #expect(options.setupInfo == ["room": "42", "a": "b=c"])
  }

  @Test func theSubcommandControlTakesAnEvent() throws {
    let options = try options("control rate:24 --group group.a.b")
    #expect((options.control, options.common.group) == ("rate:24", "group.a.b"))
  }
}
