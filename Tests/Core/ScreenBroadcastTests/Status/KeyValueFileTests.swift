import ScreenBroadcast
import SharedMemory
import TestSupport

@Suite struct KeyValueFileTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let file: KeyValueFile

  init() { file = KeyValueFile(container: home.container) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: container.preferencesFolder).sorted() }
  }

  private func write(_ text: String) throws { try PlainFile.replace(file.path, with: Array(text.utf8)) }

  private func write(_ list: Any, _ format: PropertyListSerialization.PropertyListFormat = .xml) throws {
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    try PlainFile.replace(file.path, with: Array(data))
  }

  private func read() throws -> [String: Any] {
    let data = Data(try PlainFile.read(file.path, limit: 1 << 24))
    // UNSAFE: only because of the type of the out parameter.
    return try #require(
      try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  @Test func withoutAFileEverythingIsFalse() throws { #expect(try !file.bool(forKey: "a") && names == []) }

  @Test func valuesAreKeptAndTheFileIsPrivate() throws {
    #expect(try file.set(true, forKey: "a") == nil)
    try file.set(false, forKey: "b")
    #expect(try file.bool(forKey: "a") && !file.bool(forKey: "b"))
    #expect(try names == [AppGroupContainer.testGroup + ".plist"])
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func otherKeysOfOtherTypesAreKept(format: PropertyListSerialization.PropertyListFormat) throws {
    let others: [String: Any] = [
      "text": "ü", "number": 42, "real": 1.5, "data": Data([1, 2]),
      "date": Date(timeIntervalSinceReferenceDate: 1000), "list": [1, 2], "inner": ["x": true],
    ]
    try write(others.merging(["flag": false]) { $1 }, format)
    try file.set(true, forKey: "flag")
    let expected = others.merging(["flag": true]) { $1 }
    #expect(NSDictionary(dictionary: try read()) == NSDictionary(dictionary: expected))
  }

  @Test(arguments: [
    ("<true/>", true), ("<false/>", false), ("<integer>1</integer>", true), ("<integer>0</integer>", false),
    ("<integer>2</integer>", true), ("<integer>-1</integer>", true), ("<real>0.5</real>", true),
    ("<real>0</real>", false), ("<string>YES</string>", true), ("<string>true</string>", true),
    ("<string>1</string>", true), ("<string>2</string>", true), ("<string>no</string>", false),
    ("<string></string>", false),
    ("<string>maybe</string>", false), ("<data>AQ==</data>", false), ("<array><true/></array>", false),
  ])
  func aValueOfAnotherTypeCountsByTheRulesOfUserDefaults(value: String, expected: Bool) throws {
    try write("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key>\(value)</dict></plist>")
    #expect(try file.bool(forKey: "a") == expected)
  }

  @Test func writersOfDifferentKeysLoseNothing() throws {
    let file = file
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        for turn in 0..<25 { try file.set(true, forKey: "\(worker)-\(turn)") }
      } catch {
        Issue.record(error)
      }
    }
    #expect(try read().count == 100)
  }

  @Test func aValueThatIsThereAlreadyIsNotWritten() throws {
    func identity() throws -> NSNumber? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? NSNumber
    }
    try file.set(false, forKey: "a")
    let written = try identity()
    try file.set(false, forKey: "a")
    #expect(try identity() == written)
    try file.set(true, forKey: "a")
    #expect(try identity() != written)
  }

  @Test func aDamagedFileIsMovedAsideAndNeverOverwritten() throws {
    for (turn, name) in ["", "-2", "-3"].enumerated() {
      try write("rubbish \(turn)")
      #expect(throws: FileError(.notAPropertyList, file.path)) { try file.bool(forKey: "a") }
      #expect(try file.set(true, forKey: "a") == file.path + ".damaged\(name)" && file.bool(forKey: "a"))
    }
    for (turn, name) in ["", "-2", "-3"].enumerated() {
      let bytes = try PlainFile.read(file.path + ".damaged\(name)", limit: 100)
      #expect(String(decoding: bytes, as: UTF8.self) == "rubbish \(turn)")
    }
    #expect(try names.count == 4)
  }

  /// Lists of other kinds, a list that is too large, and lists of a null, a fill byte, two kinds of sets, and a URL.
  @Test func whatIsNoListOfPreferencesIsDamage() throws {
    func expectDamage() throws {
      #expect(throws: FileError(.notAPropertyList, file.path)) { try file.bool(forKey: "a") }
      let aside = try #require(try file.set(true, forKey: "a"))
      #expect(try file.bool(forKey: "a"))
      try FileManager.default.removeItem(atPath: aside)
    }
    let large: [String: Any] = ["a": true, "filler": String(repeating: "x", count: KeyValueFile.sizeLimit)]
    for list in [["a", "b"], "text", 5, large] as [Any] {
      try write(list)
      try expectDamage()
    }
    for object in [[], [0x00], [0x0F], [0xC1, 1], [0xB1, 1], [0x0C, 0x51, 0x61]] as [[UInt8]] {
      try PlainFile.replace(file.path, with: object.isEmpty ? [] : binaryList(of: object))
      try expectDamage()
    }
  }

  private func binaryList(of object: [UInt8]) -> [UInt8] {
    // A dictionary with one key, the key, the object, the offsets of the three, and the trailer.
    let start = Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, UInt8(ascii: "a")]
    let numbers = [3, 0, UInt8(start.count + object.count)].flatMap { [UInt8](repeating: 0, count: 7) + [$0] }
    return start + object + [8, 11, UInt8(start.count)] + [0, 0, 0, 0, 0, 0, 1, 1] + numbers
  }

  @Test func aBinaryListMayHoldEverythingThatPropertyListsHave() throws {
    for object in [[0x09], [0x10, 1], [0x23, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0], [0x51, 0x31]] as [[UInt8]] {
      try PlainFile.replace(file.path, with: binaryList(of: object))
      #expect(try file.bool(forKey: "a"))
    }
    for object in [[0x08], [0xA1, 1], [0xD0], [0x41, 1], [0x80, 1]] as [[UInt8]] {
      try PlainFile.replace(file.path, with: binaryList(of: object))
      #expect(try !file.bool(forKey: "a"))
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aDateThatIsNotFiniteIsDamage(seconds: Double) throws {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: seconds.bitPattern >> UInt64(56 - 8 * $0)) }
    let list = binaryList(of: [0x33] + bytes)
    try PlainFile.replace(file.path, with: list)
    #expect(throws: FileError(.notAPropertyList, file.path)) { try file.bool(forKey: "b") }
    let aside = try #require(try file.set(true, forKey: "b"))
    #expect(try PlainFile.read(aside, limit: 1000) == list)
    #expect(try file.bool(forKey: "b") && read().count == 1)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aNewValueThatCannotBeReadAgainLeavesTheFileAsItIs(seconds: Double) throws {
    try file.set(true, forKey: "a")
    #expect(throws: FileError(.unwritableValue, file.path)) {
      try file.update { values in
        values["date"] = Date(timeIntervalSinceReferenceDate: seconds)
        return true
      }
    }
    #expect(try file.bool(forKey: "a") && names.count == 1)
  }

  @Test func aListCutAnywhereIsDamageOrAListButNeverTheEndOfTheProcess() throws {
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      try write(["a": true, "list": [1, 2.5], "text": "ü", "data": Data([1, 2])] as [String: Any], format)
      let whole = try PlainFile.read(file.path, limit: 10_000)
      let needed = format == .xml ? whole.count - 1 : whole.count  // XML ends with a line feed.
      for length in 0...whole.count {
        try PlainFile.replace(file.path, with: Array(whole[..<length]))
        if length >= needed {
          #expect(try file.bool(forKey: "a"))
        } else {
          #expect(throws: FileError(.notAPropertyList, file.path), "\(length) of \(whole.count) bytes") {
            try file.bool(forKey: "a")
          }
        }
      }
    }
  }

  @Test(arguments: [S_IFDIR, S_IFIFO, S_IFSOCK])
  func aPathThatIsNotAFileIsNeitherReadNorReplaced(kind: mode_t) throws {
    try makeFile(of: kind, at: file.path)
    let refusal = FileError(.notAPlainFile, file.path)
    #expect(throws: refusal) { try file.bool(forKey: "a") }
    #expect(throws: refusal) { try file.set(true, forKey: "a") }
    #expect(try names == [AppGroupContainer.testGroup + ".plist"])
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aValueIsChangedOnAFullFileSystem() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let container = try AppGroupContainer(in: tiny)
    let file = KeyValueFile(container: container)
    try file.set(true, forKey: "a")
    try file.set(true, forKey: "b")
    try tiny.fill()
    for value in [false, true, false] {
      try file.set(value, forKey: "a")
      #expect(try file.bool(forKey: "a") == value && file.bool(forKey: "b"))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: container.preferencesFolder)
    #expect(names == [AppGroupContainer.testGroup + ".plist"])
    try tiny.empty()
    try file.set(true, forKey: "a")
    #expect(try file.bool(forKey: "a"))
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aFirstValueNeedsRoom() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let container = try AppGroupContainer(in: tiny)
    try tiny.fill()
    let file = KeyValueFile(container: container)
    let error = #expect(throws: FileError.self) { try file.set(true, forKey: "a") }
    #expect(error?.code == ENOSPC)
  }

  @Test func aLinkInItsPlaceIsNeitherReadNorFollowed() throws {
    let target = home.folder("target")
    try PlainFile.replace(target, with: Array("kept".utf8))
    try makeFile(of: S_IFLNK, at: file.path, leadingTo: target)
    #expect(throws: FileError(.symbolicLink, file.path)) { try file.bool(forKey: "a") }
    #expect(throws: FileError(.symbolicLink, file.path)) { try file.set(true, forKey: "a") }
    #expect(try PlainFile.read(target, limit: 10) == Array("kept".utf8))
  }
}
