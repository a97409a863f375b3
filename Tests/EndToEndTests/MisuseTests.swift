import Testing

extension EndToEndTests {
  /// A handler's misuse of its samples is reported, and the broadcast continues.
  @MainActor @Suite struct MisuseTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test(arguments: [
      ("UnlockingHandler", ["unlocked"], "CVPixelBufferLockBaseAddress first"),
      ("LateHandler", ["afterReturn"], "copy the pixels before the return"),
      ("KeepingHandler", ["kept"], "release the sample"), ("HoardingHandler", ["leftLocked"], "as often as"),
    ])
    func aHandlersMisuseIsReported(handler: String, kinds: [String], remedy: String) async throws {
      let misuser = try sandbox.probeExtension(handler, ["--frames", "20"])
      #expect(try await misuser.exitCode() == 0)
      #expect(try misuser.events("misuse").compactMap { $0.text("kind") } == kinds)
      #expect(misuser.errors.contains(remedy))
      let finished = try await misuser.event("finished")
      #expect(finished.integer("framesProduced") == 20)
      #expect(try #require(finished.integer("misuses")) >= 1)
    }

    @Test func theArticlesHandlerHasNoMisuse() async throws {
      let producer = try sandbox.producer("--frames", "30")
      #expect(try await producer.exitCode() == 0)
      #expect(try await producer.event("finished").integer("misuses") == 0)
      #expect(try producer.events("misuse").isEmpty)
    }
  }
}
