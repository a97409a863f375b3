import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import SharedMemory
import TestSupport
import Testing

@testable import BroadcastExtension

private class FirstHandler: RPBroadcastSampleHandler {}
private class SecondHandler: RPBroadcastSampleHandler {}

@MainActor @Suite struct ExtensionInfoTests {
  private static let list: [String: String] = [
    "NSExtensionPointIdentifier": "com.apple.broadcast-services-upload",
    "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).SampleHandler",
    "RPBroadcastProcessMode": "RPBroadcastProcessModeSampleBuffer",
  ]

  private func failure(_ changes: [String: String?]) -> ExtensionInfo.Failure? {
    let values = Self.list.merging(changes.compactMapValues { $0 }) { $1 }
      .filter { changes[$0.key, default: ""] != nil }
    do throws(ExtensionInfo.Failure) {
      _ = try ExtensionInfo(["NSExtension": values], path: "Info.plist")
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func aPropertyListIsRead(_ format: PropertyListSerialization.PropertyListFormat) throws {
    try withFolder { folder in
      let path = folder.appending(path: "Info.plist")
      try PropertyListSerialization.data(
        fromPropertyList: ["NSExtension": Self.list], format: format, options: 0
      )
      .write(to: path)
      #expect(try ExtensionInfo(path: path.path).principalClass == "$(PRODUCT_MODULE_NAME).SampleHandler")
    }
  }

  @Test func theModeMayBeAmongTheAttributes() throws {
    var values: [String: Any] = Self.list
    values["RPBroadcastProcessMode"] = nil
    values["NSExtensionAttributes"] = ["RPBroadcastProcessMode": "RPBroadcastProcessModeSampleBuffer"]
    _ = try ExtensionInfo(["NSExtension": values], path: "Info.plist")
    values["NSExtensionAttributes"] = ["RPBroadcastProcessMode": "RPBroadcastProcessModeMP4Clip"]
    #expect(throws: ExtensionInfo.Failure.otherMode("RPBroadcastProcessModeMP4Clip", path: "Info.plist")) {
      try ExtensionInfo(["NSExtension": values], path: "Info.plist")
    }
  }

  @Test func anotherModeOrExtensionPointIsRefused() throws {
    let mode = try #require(failure(["RPBroadcastProcessMode": "RPBroadcastProcessModeMP4Clip"]))
    #expect(mode.programFailure.exitCode == .usage)
    #expect(
      mode.programFailure.message
        == "Info.plist has the RPBroadcastProcessMode 'RPBroadcastProcessModeMP4Clip', which is not emulated; "
        + "a handler of samples has RPBroadcastProcessModeSampleBuffer.")
    let point = "com.apple.broadcast-services-setupui"
    #expect(failure(["NSExtensionPointIdentifier": point]) == .otherExtensionPoint(point, path: "Info.plist"))
    #expect(failure([:]) == nil)
  }

  @Test(arguments: ["NSExtensionPointIdentifier", "NSExtensionPrincipalClass", "RPBroadcastProcessMode"])
  func aMissingKeyIsNamed(_ key: String) {
    #expect(failure([key: nil]) == .missing(key, path: "Info.plist"))
  }

  @Test func aFileThatIsNotTheInfoPlistOfAnExtensionIsRefused() throws {
    #expect(throws: ExtensionInfo.Failure.missing("NSExtension", path: "p")) {
      try ExtensionInfo(["NSExtension": "text"], path: "p")
    }
    try withFolder { folder in
      let path = folder.appending(path: "Info.plist").path
      let missing = #expect(throws: ExtensionInfo.Failure.self) { try ExtensionInfo(path: path) }
      #expect(missing == .unreadable(SystemError(call: "open", path: path, code: ENOENT)))
      #expect(missing?.programFailure.exitCode == .inputOutput)
      // Neither is opened: opening a FIFO would wait for a writer.
      let fifo = folder.appending(path: "fifo").path
      // UNSAFE: a C string for the call.
      #expect(unsafe mkfifo(fifo, 0o600) == 0)
      for place in [folder.path, fifo] {
        let failure = #expect(throws: ExtensionInfo.Failure.self) { try ExtensionInfo(path: place) }
        #expect(failure?.programFailure.exitCode == .inputOutput)
      }
      for bytes in [Data(), Data("nothing".utf8), Data("bplist00\u{1}".utf8), Data(count: 2 << 20)] {
        try bytes.write(to: URL(filePath: path))
        #expect(throws: ExtensionInfo.Failure.noPropertyList(path: path)) { try ExtensionInfo(path: path) }
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
    #expect(try classes.chosen(byInfoPlist: nil).make() is FirstHandler)
    #expect(try chosen(classes[1].name) is SecondHandler)
    #expect(try chosen("$(PRODUCT_MODULE_NAME).SecondHandler") is SecondHandler)
    #expect(try chosen("${PRODUCT_MODULE_NAME}.FirstHandler") is FirstHandler)
    for name in ["Other.SecondHandler", "SecondHandler", "$(PRODUCT_MODULE_NAME).", "."] {
      #expect(throws: ExtensionInfo.Failure.self) { try chosen(name) }
    }
    let failure = #expect(throws: ExtensionInfo.Failure.self) { try chosen("SecondHandler") }
    #expect(failure?.description.contains("without its module") == true)
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
