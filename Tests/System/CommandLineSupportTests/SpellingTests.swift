import TestSupport

@testable import CommandLineSupport

@Suite struct SpellingTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1), ("abc", "bc", 1),
    ("kitten", "sitting", 3),
  ])
  func theDistanceCountsLettersAddedRemovedReplacedOrSwapped(_ one: String, _ other: String, _ count: Int) {
    #expect((Spelling.distance(one, other), Spelling.distance(other, one)) == (count, count))
  }

  @Test func aUniqueBeginningIsCompleted() {
    #expect(Spelling.nearest(to: "--memory", among: ["--memory-limit", "--format"]) == "--memory-limit")
  }

  @Test func aWordWithAKnownOneOrItsBeginningIsNear() {
    #expect(Spelling.nearest(to: "landscapeLeft", among: ["up", "leftMirrored", "left"]) == "left")
    #expect(Spelling.nearest(to: "deny", among: ["granted", "denied"]) == "denied")
    #expect(Spelling.nearest(to: "deny", among: ["denial", "denied"]) == nil)
  }

  @Test func nothingNearGivesNoSuggestion() {
    #expect(Spelling.nearest(to: "fish", among: ["bash", "zsh"]) == nil)
    #expect(Spelling.nearest(to: "--ios", among: ["--fps", "--at"]) == nil)
    #expect(Spelling.nearest(to: "--verbosity", among: ["--fps", "--verify"]) == nil)
    #expect(Spelling.nearest(to: "x", among: []) == nil)
  }

  @Test func aVeryLongWordIsNotComparedLetterByLetter() {
    let word = "--" + String(repeating: "x", count: 1_000_000)
    let known = ["--fps", "--verify", "--container", "--environment"]
    let start = processorTime()
    #expect(Spelling.nearest(to: word, among: known) == nil)
    #expect(processorTime() - start < .seconds(5))  // Letter by letter it takes a minute.
  }

  @Test func aValueInASentenceStaysOnOneLineAndIsCut() {
    #expect("a\nb\u{1B}[2J".quoted == "'a?b?[2J'")
    #expect("/a/b-1_2.ü".shellWord == "/a/b-1_2.ü" && "".shellWord == "''")
    #expect("it's $(id)\\".shellWord == "'it'\\''s $(id)\\'")
    #expect("it's\n\\\u{85}".shellWord == "$'it\\'s\\012\\\\\\302\\205'")
    #expect(String(repeating: "é", count: 100).quoted == "'\(String(repeating: "é", count: 80))…'")
  }
}
