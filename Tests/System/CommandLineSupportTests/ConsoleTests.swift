import TestSupport

@testable import CommandLineSupport

@Suite struct ConsoleTests {
  private let clear = "\u{1B}[K"
  private let messages = CollectedStream()
  private let errors = CollectedStream()
  private let console: Console

  init() { console = Console(messages: messages.stream, errors: errors.stream, drawsLive: true) }

  @Test func theLiveLineIsErasedBeforeALine() throws {
    console.live("1 fps")
    console.live("2 fps")
    console.say("paused")
    console.say("resumed")
    #expect(
      try messages.text() == "\r1 fps\(clear)\r2 fps\(clear)\r\(clear)paused\(clear)\nresumed\(clear)\n")
  }

  @Test func theLiveLineIsErasedBeforeAnError() throws {
    console.live("1 fps")
    console.report("producer: gone")
    #expect(try messages.text() == "\r1 fps\(clear)\r\(clear)")
    #expect(try errors.text() == "producer: gone\n")
  }

  @Test func aLiveLineIsCutToTheWidthOfTheTerminal() throws {
    console.live(String(repeating: "x", count: 200))
    #expect(try messages.text() == "\r\(String(repeating: "x", count: 79))\(clear)")
  }

  @Test func coloursTakeNoRoomAndCanBeRefused() throws {
    let parts = [
      LivePart("0:01 "), LivePart("live", .green),
      LivePart(String(repeating: "x", count: 69), isBeyondLimit: false),
      LivePart("age 60/50 ms", isBeyondLimit: true), LivePart("gone", .red),
    ]
    let plain = "0:01 live" + String(repeating: "x", count: 69)
    for hasColours in [true, false] {
      let messages = CollectedStream()
      let console = Console(messages: messages.stream, errors: nil, drawsLive: true, hasColours: hasColours)
      console.live(parts)
      console.say("ended")
      let shown =
        hasColours
        ? plain.replacing("live", with: "\u{1B}[32mlive\u{1B}[0m") + "\u{1B}[31ma\u{1B}[0m" : plain + "a"
      #expect(try messages.text() == "\r\(shown)\(clear)\r\(clear)ended\(clear)\n")
    }
  }

  @Test(
    arguments: [
      ([:], true), (["TERM": "xterm", "NO_COLOR": ""], true), (["NO_COLOR": "1"], false),
      (["TERM": "dumb"], false),
    ] as [([String: String], Bool)])
  func theEnvironmentRefusesColours(_ environment: [String: String], _ isAllowed: Bool) {
    #expect(Console.allowsColours(environment) == isAllowed)
  }

  @Test func withoutATerminalThereIsNoLiveLine() throws {
    let console = Console(messages: messages.stream, errors: messages.stream)
    #expect(!console.showsLive)
    console.live("1 fps")
    console.say("ended")
    #expect(try messages.text() == "ended\n")
  }

  @Test func controlCharactersOfATextAreNotPrinted() throws {
    console.say("/a\u{1B}[31m\r/b\nnext")
    console.report("/a\u{7F}/ü")
    #expect(try messages.text() == "/a?[31m?/b\(clear)\nnext\(clear)\n")
    #expect(try errors.text() == "/a?/ü\n")
    let failure = ProgramFailure(.usage, "\u{9B}2J.")
    #expect(failure.report(from: "p") == "p: ?2J.\nRun 'p --help' for the options.")
  }

  @Test func aQuietConsolePrintsOnlyErrors() throws {
    let console = Console(messages: nil, errors: errors.stream)
    console.live("1 fps")
    console.say("ended")
    console.report("consumer: no")
    #expect(try errors.text() == "consumer: no\n")
  }
}
