import Testing

@testable import endurance

@Suite struct ContainerTreeTests {
  private let atRest: Set<String> = [
    "Library", "Library/Preferences", "Library/Preferences/group.a.b.plist", "Library/Caches",
    "Library/Caches/Broadcast", "Library/Caches/Broadcast/producer.lock",
  ]

  private func faults(_ paths: Set<String>, isIdle: Bool) -> [String] {
    ContainerTree.faults(paths, group: "group.a.b", isIdle: isIdle)
  }

  @Test func documentedPathsAreNotLeaks() { #expect(faults(atRest, isIdle: true) == []) }

  @Test(arguments: ["Library/Caches/Broadcast/frames.ring", "Library/Preferences/group.a.b.plist.new"])
  func filesOfABroadcastAreLeaksAtRest(path: String) {
    #expect(faults(atRest.union([path]), isIdle: false) == [])
    #expect(faults(atRest.union([path]), isIdle: true) == ["contains \(path)"])
  }

  @Test func undocumentedPathsAreAlwaysLeaks() {
    let path = "Library/Preferences/group.a.b.plist.damaged"
    #expect(faults(atRest.union([path]), isIdle: false) == ["contains \(path)"])
  }

  @Test func absentPathsAreMissing() {
    let lock = "Library/Caches/Broadcast/producer.lock"
    #expect(faults(atRest.subtracting([lock]), isIdle: true) == ["lacks \(lock)"])
    #expect(faults(atRest.subtracting([lock]), isIdle: false) == [])
  }
}
