import Testing

@testable import endurance

@Suite struct ContainerTreeTests {
  private let atRest: Set<String> = [
    "Library", "Library/Preferences", "Library/Preferences/group.a.b.plist", "Library/Caches",
    "Library/Caches/Broadcast", "Library/Caches/Broadcast/producer.lock",
  ]

  @Test func documentedPathsAreNotLeaks() {
    let tree = ContainerTree(paths: atRest, group: "group.a.b")
    #expect(tree.leaks(isAtRest: true) == [] && tree.missing == [])
  }

  @Test(arguments: ["Library/Caches/Broadcast/frames.ring", "Library/Preferences/group.a.b.plist.new"])
  func filesOfABroadcastAreLeaksAtRest(path: String) {
    let tree = ContainerTree(paths: atRest.union([path]), group: "group.a.b")
    #expect(tree.leaks(isAtRest: false) == [])
    #expect(tree.leaks(isAtRest: true) == [path])
  }

  @Test func undocumentedPathsAreAlwaysLeaks() {
    let path = "Library/Preferences/group.a.b.plist.damaged"
    #expect(ContainerTree(paths: atRest.union([path]), group: "group.a.b").leaks(isAtRest: false) == [path])
  }

  @Test func absentPathsAreMissing() {
    let lock = "Library/Caches/Broadcast/producer.lock"
    #expect(ContainerTree(paths: atRest.subtracting([lock]), group: "group.a.b").missing == [lock])
  }
}
