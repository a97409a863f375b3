import TestSupport

@testable import EmulatedDevice

/// Tests an app's device that follows a phone's device through the files of a folder.
@Suite struct SharedDeviceTests {
  private let folder = TemporaryFolder.ofSuite()
  private let phone: Device
  private let app: Device
  private let problems = Recorder<String>()

  init() throws {
    let identity = Device.Identity(
      profile: try #require(.named("ipad")), ios: try #require(IOSVersion("17.4.1")), memoryLimit: 200 << 20)
    phone = Device(identity, role: .extension, root: folder.path)
    app = Device(nil, role: .app, root: folder.path, follows: true)
  }

  private func publish() throws { try phone.publish { [problems] in problems.add("\($0)") } }

  private var path: String { folder.path + "/Device/state.json" }

  @Test func anAppIsTheStandardDeviceUntilAPhoneRuns() throws {
    #expect(app.identity == Device.Identity() && app.state == DeviceState())
    try publish()
    #expect(app.identity == phone.identity && app.ios.text == "17.4.1")
  }

  @Test func anAppIsNotAPhoneThatHasEnded() throws {
    try publish()
    try phone.endPublishing()
    #expect(app.identity == Device.Identity() && app.state == DeviceState())
    try publish()
    #expect(app.identity == phone.identity)
    try phone.endPublishing()
    #expect(app.identity == phone.identity)
  }

  @Test func anAppKeepsTheDeviceThatItWasGiven() throws {
    try publish()
    let given = Device(.init(profile: .ofChecks), role: .app, root: folder.path, follows: true)
    #expect(given.profile == .ofChecks && given.identity.memoryLimit == 200 << 20)
  }

  @Test func theStateOfThePhoneIsThatOfTheApp() throws {
    try publish()
    phone.change { ($0.thermal, $0.captures, $0.route) = (.serious, [.broadcast], .known[1]) }
    #expect(app.state == phone.state && app.state.thermal == .serious)
    try phone.endPublishing()
    #expect(app.state == DeviceState() && app.profile.name == "ipad")
    #expect(problems.values.isEmpty)
  }

  @Test func anAppThatObservesHearsOfAChange() async throws {
    let heard = Recorder<Bool>()
    let observation = app.observe { _, old, new in
      if old.isLowPower != new.isLowPower { heard.add(new.isLowPower) }
    }
    try publish()
    phone.change { $0.isLowPower = true }
    #expect(await eventually { heard.values == [true] })
    // The file stays and the lock is released, as after a crash.
    try phone.endPublishing()
    #expect(await eventually { heard.values == [true, false] })
    withExtendedLifetime(observation) {}
  }

  @Test func whatAPhoneThatCrashedLeftIsNoState() throws {
    try publish()
    phone.change { $0.captures = [.broadcast] }
    let left = try PlainFile.read(path, limit: 2048)
    #expect(left.count == DeviceFile.byteCount)
    try phone.endPublishing()
    #expect(try PlainFile.read(path, limit: 2048) == left)
    #expect(app.state.captures.isEmpty)
    // The lock is held by a new phone that has not written yet: the file names another process than the lock.
    let text = String(decoding: left, as: UTF8.self)
      .replacing("\"process\":\(System.processID)", with: "\"process\":1")
    try PlainFile.replace(path, with: Array(text.utf8))
    let lock = try PlainFile.openOrCreate(folder.path + "/Device/lock")
    #expect(try System.tryLock(lock, first: Int(System.processID)))
    #expect(app.state.captures.isEmpty)
  }

  @Test func aSecondPhoneIsRefusedAndTheFirstGoesOn() throws {
    try publish()
    let second = Device(role: .extension, root: folder.path)
    let error = #expect(throws: FileError.self) { try second.publish { _ in } }
    #expect(error?.reason == .held(by: nil))
    second.change { $0.thermal = .critical }
    phone.change { $0.thermal = .fair }
    #expect(app.state.thermal == .fair)
  }

  @Test(arguments: ["", "{", "\u{0}\u{0}", "{\"process\":1}"])
  func aDamagedFileIsThatOfNoPhone(_ text: String) throws {
    try publish()
    try PlainFile.replace(path, with: Array(text.utf8))
    #expect(app.state == DeviceState() && app.identity == Device.Identity())
  }

  @Test func aFolderThatIsALinkIsRefused() throws {
    let other = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/Device", withDestinationPath: other.path)
    #expect(throws: FileError.self) { try publish() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)
  }

  @Test func anAppIsLedByTheNamesOfUIKit() async throws {
    let heard = Recorder<DeviceState.AppEvent>()
    let observation = app.observe { _, old, new in
      if let event = new.app.event(since: old.app) { heard.add(event) }
    }
    for event in DeviceState.AppEvent.allCases {
      try NamedSignals.post(event.rawValue, root: folder.path)
      #expect(await eventually { heard.values.last == event })
    }
    // A change of the phone's state is not an event of the app.
    try publish()
    phone.change { $0.isLocked = true }
    #expect(app.state.isLocked && heard.values == DeviceState.AppEvent.allCases)
    withExtendedLifetime(observation) {}
  }
}
