import CommandLineSupport
import TestSupport
import Testing

@Suite struct ConsoleTests {
  private let clear = "\u{1B}[K"

  @Test func theLiveLineIsErasedBeforeALine() throws {
    let messages = CollectedStream()
    let errors = CollectedStream()
    let console = Console(messages: messages.stream, errors: errors.stream, drawsLive: true)
    console.live("1 fps")
    console.live("2 fps")
    console.say("paused")
    console.say("resumed")
    #expect(
      try messages.text() == "\r1 fps\(clear)\r2 fps\(clear)\r\(clear)paused\(clear)\nresumed\(clear)\n")
  }

  @Test func theLiveLineIsErasedBeforeAnError() throws {
    let messages = CollectedStream()
    let errors = CollectedStream()
    let console = Console(messages: messages.stream, errors: errors.stream, drawsLive: true)
    console.live("1 fps")
    console.report("producer: gone")
    #expect(try messages.text() == "\r1 fps\(clear)\r\(clear)")
    #expect(try errors.text() == "producer: gone\n")
  }

  @Test func aLiveLineIsCutToTheWidthOfTheTerminal() throws {
    let messages = CollectedStream()
    let console = Console(messages: messages.stream, errors: messages.stream, drawsLive: true)
    console.live(String(repeating: "x", count: 200))
    #expect(try messages.text() == "\r\(String(repeating: "x", count: 79))\(clear)")
  }

  @Test func withoutATerminalThereIsNoLiveLine() throws {
    let messages = CollectedStream()
    let console = Console(messages: messages.stream, errors: messages.stream)
    #expect(!console.showsLive)
    console.live("1 fps")
    console.say("ended")
    #expect(try messages.text() == "ended\n")
  }

  @Test func controlCharactersOfATextAreNotPrinted() throws {
    let messages = CollectedStream()
    let errors = CollectedStream()
    let console = Console(messages: messages.stream, errors: errors.stream, drawsLive: true)
    console.say("/a\u{1B}[31m\r/b\nnext")
    console.report("/a\u{7F}/ü")
    #expect(try messages.text() == "/a?[31m?/b\(clear)\nnext\(clear)\n")
    #expect(try errors.text() == "/a?/ü\n")
    let failure = ProgramFailure(.usage, "\u{9B}2J.")
    #expect(failure.report(from: "p") == "p: ?2J.\nRun 'p --help' for the options.")
  }

  @Test func aQuietConsolePrintsOnlyErrors() throws {
    let errors = CollectedStream()
    let console = Console(messages: nil, errors: errors.stream)
    console.live("1 fps")
    console.say("ended")
    console.report("consumer: no")
    #expect(try errors.text() == "consumer: no\n")
  }
}
