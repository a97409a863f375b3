import EmulatedDevice
import ReplayKit
import TestSupport

@testable import EmulatedSystem

/// Tests that the tables of `Docs/Devices.md` equal the code.
@Suite struct DeviceDocumentTests {
  private let page: Document

  init() throws { page = try Document("Docs/Devices.md") }

  /// A number that is repeated elsewhere would be wrong for another device.
  @Test(arguments: [
    "StandIns/Frameworks/UIKit", "StandIns/Frameworks/ScreenCapture", "StandIns/Base/AppleFoundation",
    "Phone/EmulatedCapture", "App", "Tool/ContainerDoctor", "Programs",
  ]) func noOtherFolderHasNumbersOfADevice(_ folder: String) throws {
    let numbers = /\b(390|393|844|852|886|1170|1179|1918|2532|2556|52428800)\b|\b50 (<< 20|\* 1)/
    let root = Document.package.appending(path: "Sources/\(folder)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".js") }
    for file in files {
      let lines = try Document("Sources/\(folder)/\(file)").text.split(separator: "\n")
      let code = lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
      #expect(!code.contains { $0.contains(numbers) }, "\(file)")
    }
    #expect(!files.isEmpty)
  }

  private static let known = ["documented", "twice", "once", "stated", "hearsay", "-"]

  @Test func eachFactHasASourceAndSaysHowWellItIsKnown() {
    let facts = page.rows.filter { $0.section != "What is not known" && $0.cells.count == 6 }
      .map(\.cells).filter { $0[0] != "value" && !$0[0].hasPrefix("-") }
    #expect(facts.count > 15)
    for fact in facts {
      #expect(!fact[3].isEmpty && Self.known.contains { fact[4].hasPrefix($0) }, "\(fact)")
    }
  }

  /// Returns the only fact that begins with these words.
  private func fact(_ start: String) throws -> [String] {
    let facts = page.rows.map(\.cells).filter { $0.count == 6 && $0[0].hasPrefix(start) }
    #expect(facts.count == 1, "\(facts)")
    return try #require(facts.first)
  }

  @Test func theDefaultsOfTheScreenAreThoseOfThePage() throws {
    let standard = DeviceProfile.standard
    #expect(DeviceProfile.all.contains(standard))
    let row = try #require(page.rows.map(\.cells).first { $0.dropFirst(5).elementsEqual(["default device"]) })
    #expect(row[0] == "\(standard.frames)" && row[1].hasPrefix("iPhone 15 "))
    for device in DeviceProfile.all where device.panel.height > 1920 && device.name.hasPrefix("iphone") {
      #expect(device.frames == standard.frames)
    }
    let (old, new) = try (fact("at most 30 frames"), fact("60 frames a second"))
    for major in 11...26 {
      guard let version = IOSVersion("\(major)") else { continue }
      let row = major <= 13 ? old : new
      #expect(row[0].contains("\(Int(version.framesPerSecond)) frames"))
    }
    #expect(old[5].contains("--ios 11 to 13") && new[5].contains("from --ios 14 on"))
  }

  @Test(arguments: [("app", RPSampleBufferType.audioApp), ("microphone", .audioMic)])
  func theAudioFormatsAreThoseOfThePage(_ name: String, _ type: RPSampleBufferType) throws {
    for version in (11...26).compactMap({ IOSVersion("\($0)") }) {
      let format = AudioFormat.of(type, on: version)
      let frames = AudioFormat.framesPerPacket(type, on: version)
      let channels = format.channelCount == 1 ? "1 channel" : "\(format.channelCount) channels"
      let order = format.flags & kAudioFormatFlagIsBigEndian == 0 ? "little" : "big"
      let value =
        "\(name): \(channels), \(format.sampleRate / 1000)\(format.sampleRate == 44_100 ? ".1" : "") kHz, "
        + "\(format.bitsPerChannel) bits \(order)-endian, packets of \(frames / 1000),"
        + "\("\(1000 + frames % 1000)".dropFirst()) frames"
      let fact = try fact(value)
      #expect(covers(fact[5], version.major), "iOS \(version): \(fact)")
    }
  }

  /// Whether the words "from --ios 14 on", "--ios 11 to 13" or "--ios 12" mean this version.
  private func covers(_ words: String, _ major: Int) -> Bool {
    if let match = words.firstMatch(of: /from --ios (\d+) on/) {
      return Int(match.1).map { $0 <= major } ?? false
    }
    guard let match = words.firstMatch(of: /--ios (\d+)(?: to (\d+))?/), let first = Int(match.1) else {
      return false
    }
    return first...(match.2.flatMap { Int($0) } ?? first) ~= major
  }
}
