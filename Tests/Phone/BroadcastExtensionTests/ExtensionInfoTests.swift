import EmulatedSystem
import ReplayKit
import TestSupport

@testable import BroadcastExtension

private class FirstHandler: RPBroadcastSampleHandler {}
private class SecondHandler: RPBroadcastSampleHandler {}

@MainActor @Suite struct ExtensionInfoTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  private static let list = ExtensionBundle.keys(principalClass: "$(PRODUCT_MODULE_NAME).SampleHandler")

  private func info(_ changes: [String: String?]) throws(ProgramFailure) -> ExtensionInfo {
    let values = Self.list.merging(changes.compactMapValues { $0 }) { $1 }
      .filter { changes[$0.key, default: ""] != nil }
    return try ExtensionInfo(["NSExtension": values], path: "Info.plist")
  }

  private func refusal(_ sentence: String) -> ProgramFailure {
    ProgramFailure(.usage, sentence, pointsToHelp: false)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func aPropertyListIsRead(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let path = folder.appending(path: "Info.plist")
    try ExtensionBundle.write(["NSExtension": Self.list], to: path, as: format)
    #expect(try ExtensionInfo(path: path.path).principalClass == "$(PRODUCT_MODULE_NAME).SampleHandler")
  }

  /// A set, on which Foundation crashes, and nested arrays that share their elements.
  @Test(arguments: [
    "YnBsaXN0MDDRAQJRa8EDCQgLDQ8AAAAAAAABAQAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAEA==",
    "YnBsaXN0MDDRAQJRa64DAwMDAwMDAwMDAwMDA64EBAQEBAQEBAQEBAQEBK4FBQUFBQUFBQUFBQUFBa4GBgYGBgYGBgYGBgYGBq4HBwcHBwcHBwcHBwcHB64ICAgICAgICAgICAgICAkICw0cKzpJWGcAAAAAAAABAQAAAAAAAAAJAAAAAAAAAAAAAAAAAAAAaA==",
  ])
  func aListThatEndsAProcessIsNone(text: String) throws {
    let path = folder.appending(path: "Info.plist")
    try #require(Data(base64Encoded: text)).write(to: path)
    #expect(throws: ProgramFailure(.inputOutput, "\(path.path) is not a property list.")) {
      try ExtensionInfo(path: path.path)
    }
  }

  @Test func theModeMayBeAmongTheAttributes() throws {
    var values: [String: Any] = Self.list
    values["RPBroadcastProcessMode"] = nil
    values["NSExtensionAttributes"] = ["RPBroadcastProcessMode": "RPBroadcastProcessModeSampleBuffer"]
    _ = try ExtensionInfo(["NSExtension": values], path: "Info.plist")
    values["NSExtensionAttributes"] = ["RPBroadcastProcessMode": "RPBroadcastProcessModeMP4Clip"]
    #expect(throws: otherMode) { try ExtensionInfo(["NSExtension": values], path: "Info.plist") }
  }

  private var otherMode: ProgramFailure {
    refusal(
      "Info.plist has the RPBroadcastProcessMode 'RPBroadcastProcessModeMP4Clip', which is not emulated; "
        + "set it to RPBroadcastProcessModeSampleBuffer.")
  }

  @Test func anotherModeOrExtensionPointIsRefused() throws {
    #expect(throws: otherMode) { try info(["RPBroadcastProcessMode": "RPBroadcastProcessModeMP4Clip"]) }
    let point = "com.apple.broadcast-services-setupui"
    let failure = #expect(throws: ProgramFailure.self) { try info(["NSExtensionPointIdentifier": point]) }
    #expect(failure?.message.hasPrefix("Info.plist belongs to an extension for '\(point)'; ") == true)
    _ = try info([:])
  }

  @Test(arguments: ["NSExtensionPointIdentifier", "NSExtensionPrincipalClass", "RPBroadcastProcessMode"])
  func aMissingKeyIsNamed(_ key: String) {
    #expect(
      throws: refusal("Info.plist has no \(key); an extension's Info.plist has it below NSExtension.")
    ) { try info([key: nil]) }
  }

  @Test func aFileThatIsNotTheInfoPlistOfAnExtensionIsRefused() throws {
    #expect(throws: ProgramFailure.self) { try ExtensionInfo(["NSExtension": "text"], path: "p") }
    try withFolder { folder in
      let path = folder.appending(path: "Info.plist").path
      let missing = FileError(.call("open", Errno(rawValue: ENOENT)), path)
      #expect(throws: ProgramFailure(.inputOutput, "\(missing).")) { try ExtensionInfo(path: path) }
      // Neither path is opened, because opening a FIFO would block until there is a writer.
      let fifo = folder.appending(path: "fifo").path
      // UNSAFE: a C string for the call.
      #expect(unsafe mkfifo(fifo, 0o600) == 0)
      for place in [folder.path, fifo] {
        let failure = #expect(throws: ProgramFailure.self) { try ExtensionInfo(path: place) }
        #expect(failure?.exitCode == .inputOutput)
      }
      for bytes in [Data(), Data("nothing".utf8), Data("bplist00\u{1}".utf8), Data(count: 2 << 20)] {
        try bytes.write(to: URL(filePath: path))
        #expect(
          throws: ProgramFailure(.inputOutput, "\(path) is not a property list.")
        ) { try ExtensionInfo(path: path) }
      }
    }
  }

  @Test func theInfoPlistChoosesThePrincipalClassByItsName() throws {
    let classes = [PrincipalClass(FirstHandler()), PrincipalClass(SecondHandler())]
    func chosen(_ name: String) throws -> RPBroadcastSampleHandler {
      var list = Self.list
      list["NSExtensionPrincipalClass"] = name
      return try classes.chosen(by: ExtensionInfo(["NSExtension": list], path: "Info.plist")).make()
    }
    #expect(try classes.chosen(by: nil).make() is FirstHandler)
    #expect(try chosen(classes[1].name) is SecondHandler)
    #expect(try chosen("$(PRODUCT_MODULE_NAME).SecondHandler") is SecondHandler)
    #expect(try chosen("${PRODUCT_MODULE_NAME}.FirstHandler") is FirstHandler)
    #expect(try chosen("$(PRODUCT_NAME:c99extidentifier).SecondHandler") is SecondHandler)
    for name in ["Other.SecondHandler", "SecondHandler", "$(PRODUCT_MODULE_NAME).", "."] {
      #expect(throws: ProgramFailure.self) { try chosen(name) }
    }
    let failure = #expect(throws: ProgramFailure.self) { try chosen("SecondHandler") }
    #expect(failure?.message.contains("without its module") == true)
  }

  @Test func theInfoPlistMayNameAClassAsObjectiveCDoes() throws {
    var list = Self.list
    list["NSExtensionPrincipalClass"] = "SampleHandler"
    let info = try ExtensionInfo(["NSExtension": list], path: "Info.plist")
    let classes = [
      PrincipalClass(FirstHandler()), PrincipalClass(SecondHandler(), objectiveCName: "SampleHandler"),
    ]
    #expect(try classes.chosen(by: info).make() is SecondHandler)
  }

  @Test func aHandlerIsMadeOnlyWhenItIsLaunched() throws {
    var made = 0
    func make() -> FirstHandler {
      made += 1
      return FirstHandler()
    }
    let principalClass = PrincipalClass(make())
    #expect(made == 0)
    _ = principalClass.make()
    #expect(made == 1)
  }
}
