import ScreenBroadcast
import SharedMemory
import TestSupport

extension EndToEndTests {
  /// The doctor reports problems that an extension and its app leave, and repairs them.
  @MainActor @Suite struct DoctorTests {
    let sandbox = Sandbox.ofSuite()

    @Test func theDoctorReportsAndRepairsTheFlagThatAKilledProducerLeaves() async throws {
      let producer = try await sandbox.startedProducer()
      try await eventually("frames") { try sandbox.ring().framesPublished > 2 }
      producer.send(SIGKILL)
      try await eventually("the end of the producer") { !producer.isRunning }

      let first = try await sandbox.doctor()
      #expect(first.exitCode == 75)
      #expect(first.errors.contains("process \(producer.pid) died while it broadcast"))
      let stale = try await first.program.event("finding") { $0.text("kind") == "staleFlag" }
      #expect(stale.text("path") == sandbox.container.preferencesFile)
      #expect(stale.boolean("fixable") == true && stale.boolean("fixed") == false)
      try await first.program.event("finding") { $0.text("kind") == "leftoverRing" }
      let diagnosis = try await first.program.event("diagnosis")
      #expect((diagnosis.text("broadcast"), diagnosis.integer("pid")) == ("crashed", Int(producer.pid)))
      #expect(diagnosis.integer("problems") == 1 && diagnosis.integer("exitCode") == 75)
      #expect(try sandbox.flag() == true && sandbox.hasRing)

      let repair = try await sandbox.doctor("--fix")
      #expect(repair.exitCode == 0, "\(repair.errors)")
      #expect(repair.errors.isEmpty)
      #expect(try await repair.program.event("diagnosis").integer("fixed") == 3)
      #expect(try sandbox.flag() == false && !sandbox.hasRing)

      let second = try await sandbox.doctor()
      #expect(second.exitCode == 0)
      let healthy = try await second.program.event("diagnosis")
      #expect((healthy.text("broadcast"), healthy.integer("problems")) == ("inactive", 0))
      #expect(try !second.program.events("finding").contains { $0.boolean("fixable") == true })

      let next = try sandbox.producer("--frames", "5")
      #expect(try await next.exitCode() == 0)
    }

    @Test func theConfigurationOfAnAppIsExaminedWithoutAContainer() async throws {
      func write(_ name: String, _ list: [String: Any]) throws -> String {
        let file = sandbox.folder.appending(path: name)
        try ExtensionBundle.write(list, to: file)
        return file.path
      }
      let groups = try write("groups", ["com.apple.security.application-groups": ["group.com.example"]])
      let app = try write("App.plist", ["CFBundleIdentifier": "com.example.app"])
      let `extension` = try write("Extension.plist", ["CFBundleIdentifier": "com.example.share"])
      let doctor = try await sandbox.run(
        BuiltPrograms.broadcast,
        [
          "doctor", "--json", "--app", app, "--app-entitlements", groups, "--extension", `extension`,
          "--extension-entitlements", groups,
        ])
      #expect(doctor.exitCode == 78)
      #expect(doctor.errors.contains("'com.example.share' is not below the app's"), "\(doctor.errors)")
      let events = try doctor.program.events()
      try EventDocument().expect(events, of: "broadcast")
      let finding = try #require(events.first { $0.text("kind") == "identifierOutside" })
      #expect(finding.text("path") == `extension` && finding.boolean("fixable") == false)
      #expect(events.contains { $0.text("kind") == "sharedGroup" })
      #expect(events.last?.name == "diagnosis" && events.last?.text("container") == nil)
      #expect(!FileManager.default.fileExists(atPath: sandbox.container.folder))
    }

    @Test func theDoctorReportsASuspendedProducerAndChangesNothing() async throws {
      let producer = try await sandbox.startedProducer()
      producer.send(SIGSTOP)
      // The signal takes effect a moment after it was sent.
      try await eventually("a suspended producer") { ProcessState.isStopped(producer.pid) }
      let doctor = try await sandbox.doctor("--fix")
      #expect(doctor.exitCode == 0)
      let finding = try await doctor.program.event("finding") { $0.text("kind") == "suspended" }
      #expect(finding.text("severity") == "warning")
      #expect(finding.text("remedy") == "let it continue: kill -CONT \(producer.pid)")
      producer.send(SIGCONT)
      try await sandbox.framesPass(5)
      let next = try await sandbox.doctor()
      #expect(try !next.program.events("finding").contains { $0.text("kind") == "suspended" })
      try await producer.endsInOrder()
    }
  }
}
