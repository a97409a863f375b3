import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

extension EndToEndTests {
  /// The doctor finds the state of a pair, and repairs it.
  @MainActor @Suite struct DoctorTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func theDoctorReportsAndRepairsTheFlagThatAKilledProducerLeaves() async throws {
      let producer = try await sandbox.startedProducer()
      try await eventually("frames") { try sandbox.ring().framesPublished > 2 }
      producer.send(SIGKILL)
      try await eventually("the end of the producer") { !producer.isRunning }

      let first = try await sandbox.consumer("doctor")
      #expect(first.exitCode == 75)
      #expect(first.errors.contains("process \(producer.pid) died while it broadcast"))
      let stale = try await first.program.event("finding") { $0.text("kind") == "staleFlag" }
      #expect(stale.text("path") == sandbox.container.preferencesFile)
      #expect(stale.boolean("fixable") == true && stale.boolean("fixed") == false)
      try await first.program.event("finding") { $0.text("kind") == "leftoverRing" }
      let diagnosis = try await first.program.event("diagnosis")
      #expect(diagnosis.text("broadcast") == "crashed")
      #expect(diagnosis.integer("pid") == Int(producer.pid))
      #expect(diagnosis.integer("problems") == 1 && diagnosis.integer("exitCode") == 75)
      #expect(try sandbox.flag() == true)
      #expect(sandbox.hasRing)

      let repair = try await sandbox.consumer("doctor", "--fix")
      #expect(repair.exitCode == 0, "\(repair.errors)")
      #expect(repair.errors.isEmpty)
      #expect(try await repair.program.event("diagnosis").integer("fixed") == 3)
      #expect(try sandbox.flag() == false)
      #expect(!sandbox.hasRing)

      let second = try await sandbox.consumer("doctor")
      #expect(second.exitCode == 0)
      let healthy = try await second.program.event("diagnosis")
      #expect(healthy.text("broadcast") == "inactive")
      #expect(healthy.integer("problems") == 0)
      #expect(try !second.program.events("finding").contains { $0.boolean("fixable") == true })

      let next = try sandbox.producer("--frames", "5")
      #expect(try await next.exitCode() == 0)
    }

    @Test func theConfigurationOfAnAppIsExaminedWithoutAContainer() async throws {
      let app = sandbox.folder.appending(path: "App.app")
      let bundle = app.appending(path: "PlugIns/Share.appex")
      try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
      func write(_ list: [String: Any], _ file: URL) throws {
        try ExtensionBundle.write(list, to: file, as: .binary)
      }
      func versioned(_ identifier: String, program: String) -> [String: Any] {
        [
          "CFBundleIdentifier": identifier, "CFBundleExecutable": program, "CFBundleVersion": "1",
          "CFBundleShortVersionString": "1.0", "CFBundleName": program, "CFBundleDisplayName": program,
        ]
      }
      try write(
        ["UIBackgroundModes": ["audio"]].merging(versioned("com.example.app", program: "App")) { $1 },
        app.appending(path: "Info.plist"))
      var list = versioned("com.example.app.share", program: "Share")
      list["NSExtension"] = ExtensionBundle.keys(principalClass: "Share.SampleHandler")
      try Data().write(to: bundle.appending(path: "Share"))
      try Data().write(to: app.appending(path: "App"))
      try write(list, bundle.appending(path: "Info.plist"))
      let groups = sandbox.folder.appending(path: "groups").path
      try write(["com.apple.security.application-groups": ["group.com.example"]], URL(filePath: groups))
      func examine() async throws -> Sandbox.Finished {
        try await sandbox.run(
          BuiltPrograms.consumer,
          [
            "doctor", "--json", "--app", app.path, "--app-entitlements", groups, "--extension-entitlements",
            groups,
          ])
      }
      let healthy = try await examine()
      #expect(healthy.exitCode == 0 && healthy.errors.isEmpty, "\(healthy.errors)")
      try EventDocument().expect(try healthy.program.events(), of: "consumer")
      #expect(try healthy.program.events("finding").map { $0.text("kind") } == ["sharedGroup"])
      let diagnosis = try await healthy.program.event("diagnosis")
      #expect(diagnosis.text("container") == nil && diagnosis.integer("problems") == 0)

      list["CFBundleIdentifier"] = "com.example.share"
      try write(list, bundle.appending(path: "Info.plist"))
      let faulty = try await examine()
      #expect(faulty.exitCode == 78)
      #expect(faulty.errors.contains("'com.example.share' is not below the app's"), "\(faulty.errors)")
      let finding = try await faulty.program.event("finding")
      #expect(finding.text("kind") == "identifierOutside" && finding.boolean("fixable") == false)
      #expect(finding.text("path") == bundle.path + "/Info.plist")

      let wrong = try await sandbox.run(BuiltPrograms.consumer, ["doctor", "--app", sandbox.folder.path])
      #expect(wrong.exitCode == 74 && wrong.errors.contains("has no Info.plist"), "\(wrong.errors)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.container.folder))
    }

    @Test func theDoctorReportsALiveProducerAndChangesNothing() async throws {
      let watcher = try sandbox.watcher("--verify")
      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      for options in [[], ["--fix"]] {
        let doctor = try await sandbox.run(
          BuiltPrograms.consumer, ["doctor", "--json", "--container", sandbox.root] + options)
        #expect(doctor.exitCode == 0, "\(doctor.errors)")
        let diagnosis = try await doctor.program.event("diagnosis")
        #expect(diagnosis.text("broadcast") == "active")
        #expect(diagnosis.integer("pid") == Int(producer.pid))
        #expect(diagnosis.integer("fixed") == 0)
        try await doctor.program.event("finding") { $0.text("kind") == "live" }
      }
      let words = try await sandbox.run(BuiltPrograms.consumer, ["doctor", "--container", sandbox.root])
      #expect(String(decoding: words.output, as: UTF8.self).contains("process \(producer.pid) broadcasts"))
      try await sandbox.framesPass(10)
      #expect(try await sandbox.consumer("stop").exitCode == 0)
      #expect(try await producer.exitCode() == 0)
      try await watcher.endOfBroadcast()
      try await watcher.endsInOrder()
      #expect(try watcher.events("crashed").isEmpty)
    }

    @Test func theDoctorReportsASuspendedProducerAndChangesNothing() async throws {
      let producer = try await sandbox.startedProducer()
      producer.send(SIGSTOP)
      // The signal takes effect a moment after it was sent.
      try await eventually("a suspended producer") { ProcessState.isStopped(producer.pid) }
      let doctor = try await sandbox.consumer("doctor", "--fix")
      #expect(doctor.exitCode == 0)
      let finding = try await doctor.program.event("finding") { $0.text("kind") == "suspended" }
      #expect(finding.text("severity") == "warning")
      #expect(finding.text("remedy") == "let it continue: kill -CONT \(producer.pid)")
      producer.send(SIGCONT)
      try await sandbox.framesPass(5)
      let next = try await sandbox.consumer("doctor")
      #expect(try !next.program.events("finding").contains { $0.text("kind") == "suspended" })
      try await producer.endsInOrder()
    }

    @Test(.needs(.setpriv), .enabled(if: Host.isRoot, "run as root: modes keep another user out"))
    func theDoctorRepairsALockFileThatItsOwnerCannotOpen() async throws {
      try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: sandbox.folder.path)
      try FileManager.default.createDirectory(
        atPath: sandbox.root, withIntermediateDirectories: false, attributes: [.ownerAccountID: 65534])
      let shared = ["--container", sandbox.root]
      let producer = try await sandbox.finished(
        sandbox.launchAsAnotherUser(
          BuiltPrograms.producer, shared + ["--size", "64x32", "--frames", "2", "--quiet"]))
      guard producer.exitCode == 0 else {
        try Test.cancel("build in a folder that other users may enter: \(producer.errors)")
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0], ofItemAtPath: sandbox.container.producerLockFile)
      let doctor = try await sandbox.finished(
        sandbox.launchAsAnotherUser(BuiltPrograms.consumer, ["doctor", "--fix", "--json"] + shared))
      #expect(doctor.exitCode == 0, "\(doctor.errors)")
      let finding = try await doctor.program.event("finding") { $0.text("kind") == "fileMode" }
      #expect(finding.boolean("fixed") == true)
    }

    @Test func withQuietTheDoctorPrintsOneSentence() async throws {
      try sandbox.container.prepare()
      try sandbox.setFlag(true)
      let doctor = try await sandbox.run(
        BuiltPrograms.consumer, ["doctor", "--quiet", "--container", sandbox.root])
      #expect(doctor.exitCode == 78)
      #expect(doctor.output.isEmpty)
      #expect(doctor.errors.split(separator: "\n").count == 1)
      #expect(doctor.errors.hasPrefix("consumer: "))
    }
  }
}
