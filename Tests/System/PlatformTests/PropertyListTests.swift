import TestSupport

@testable import Platform

@Suite struct PropertyListTests {
  private static let limit = 1 << 20

  /// Returns a binary property list. The first of `objects` is the root; references have two bytes.
  private static func binary(_ objects: [[UInt8]], count: UInt64? = nil) -> [UInt8] {
    func number(_ value: UInt64, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
    }
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in objects {
      offsets += number(UInt64(bytes.count), 4)
      bytes += object
    }
    let table = UInt64(bytes.count)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, 2]
      + number(count ?? UInt64(objects.count), 8) + number(0, 8) + number(table, 8)
  }

  /// Returns a dictionary with the key "k", whose value is the first of `objects` (reference 2).
  private static func list(_ objects: [[UInt8]]) -> [UInt8] {
    binary([[0xD1, 0, 1, 0, 2], [0x51, UInt8(ascii: "k")]] + objects)
  }

  private static func references(_ kind: UInt8, _ count: Int, to object: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [kind | UInt8(min(count, 15))]
    if count >= 15 {
      bytes.append(0x12)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(count >> shift & 255)) }
    }
    for _ in 0..<count { bytes += [0, object] }
    return bytes
  }

  /// Invalid lists by name. Tests take the name as their argument, because the log prints arguments and some lists have a
  /// megabyte.
  static let refused: KeyValuePairs<String, [UInt8]> = [
    "a set": list([[0xC1, 0, 3], [0x09]]),
    "an ordered set": list([[0xB1, 0, 3], [0x09]]),
    "six arrays of fourteen each": list((3...8).map { references(0xA0, 14, to: $0) } + [[0x09]]),
    "an array in itself": list([references(0xA0, 2, to: 2)]),
    "dictionaries in themselves": list([[0xD1, 0, 1, 0, 2]]),
    "a text that is repeated": list([
      references(0xA0, 5000, to: 3),
      [0x5F, 0x12, 0, 0, 0x40, 0]
        + [UInt8](repeating: 0x61, count: 0x4000),
    ]),
    "many references to one object": list([references(0xA0, 400_000, to: 3), [0x09]]),
    "a thousand levels": list((3..<1003).map { [0xA1, UInt8($0 >> 8), UInt8($0 & 255)] } + [[0x09]]),
    "a count beyond the file": list([[0xAF, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)]),
    "a length beyond the file": list([[0x5F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)]),
    "a count without a number": list([[0xAF]]),
    "an object that is not there": list([[0xA1, 0xFF, 0xFF]]),
    "more objects than offsets": binary([[0xD0]], count: 1 << 60),
    "a key that is not a string": binary([[0xD1, 0, 1, 0, 1], [0x09]]),
    "a date that is not a number": list([[0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]]),
    "deep XML": xml(
      String(repeating: "<array>", count: 60_000) + String(repeating: "</array>", count: 60_000)),
    "deep old text": Array(("{k=" + String(repeating: "(", count: 100_000) + ";}").utf8),
    "many elements of an old text": Array(("{k=(" + String(repeating: "(),", count: 300_000) + ");}").utf8),
    "entities of entities": Array(
      "<!DOCTYPE plist [<!ENTITY a \"&b;&b;\">]><plist><dict><key>&a;</key></dict></plist>".utf8),
    "a large file": xml("<string>" + String(repeating: "a", count: limit) + "</string>"),
    "an array": Array("<plist><array/></plist>".utf8), "nothing": [],
    "a magic number": Array("bplist00".utf8),
  ]

  private static func xml(_ value: String) -> [UInt8] {
    Array("<plist version=\"1.0\"><dict><key>k</key>\(value)</dict></plist>".utf8)
  }

  @Test(arguments: refused.map(\.key)) func aListThatIsNoneOrTooLargeIsRefused(_ name: String) throws {
    let bytes = try #require(Self.refused.first { $0.key == name }?.value)
    #expect(PropertyList.dictionary(in: bytes, limit: Self.limit) == nil)
    // A project file has a larger limit.
    if bytes.starts(with: Array("bplist".utf8)), bytes.count < 4000 {
      #expect(PropertyList.dictionary(in: bytes, limit: 64 << 20) == nil)
    }
  }

  @Test(arguments: [
    list([[0x09]]), list([references(0xA0, 14, to: 3), references(0xA0, 14, to: 4), [0x51, 0x61]]),
    list([references(0xA0, 4000, to: 3), [0x53, 0x61, 0x62, 0x63]]), list([[0x6F, 0x10, 1, 0, 0xFC]]),
    xml("<array><true/><string>ü</string><dict><key>x</key><data>AQ==</data></dict></array>"),
    xml(String(repeating: "<array>", count: 400) + String(repeating: "</array>", count: 400)),
    Array("// !$*UTF8*$!\n{ k = { isa = PBXGroup; children = (A, B,); }; }".utf8),
  ]) func aListIsRead(_ bytes: [UInt8]) {
    #expect(PropertyList.dictionary(in: bytes, limit: Self.limit)?["k"] != nil)
  }

  /// Large preferences in both formats. The XML has almost the maximum size.
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func aLargeListIsRead(format: PropertyListSerialization.PropertyListFormat) throws {
    let values = (0..<9000).map { ("key \($0)", ["value \($0 % 100)", $0, true] as [Any]) }
    let data = try PropertyListSerialization.data(
      fromPropertyList: Dictionary(uniqueKeysWithValues: values), format: format, options: 0)
    #expect(PropertyList.dictionary(in: Array(data), limit: Self.limit)?.count == 9000)
  }

  @Test func damagedListsNeitherCrashNorHang() {
    var state: UInt64 = 7
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let seeds = Self.refused.map(\.value).filter { !$0.isEmpty && $0.count < 4000 }
    for turn in 0..<4000 {
      var bytes = seeds[turn % seeds.count]
      for _ in 0...random(4) { bytes[random(bytes.count)] = UInt8(random(256)) }
      if random(4) == 0 { bytes.removeLast(random(bytes.count)) }
      _ = PropertyList.dictionary(in: bytes, limit: Self.limit)
    }
  }
}
