import TestSupport

@testable import EmulatedSystem

@Suite struct CallStackTests {
  @Test(arguments: [
    ("Probe.SampleHandler.broadcastFinished() -> ()", "SampleHandler.broadcastFinished"),
    ("static Probe.Upload.wait(for: Swift.Int) throws -> Swift.Bool", "Upload.wait"),
    ("Probe.Upload.(wait in _0F8A)() -> ()", "Upload.wait"),
    ("closure #1 () -> () in closure #2 (Swift.Int) -> () in Probe.Upload.run() -> ()", "Upload.run"),
    (
      "(extension in Foundation):Foundation.NSLocking.withLock<A>(() throws -> A) throws -> A",
      "NSLocking.withLock"
    ),
    ("generic specialization <Swift.Int, () -> ()> of Probe.Box<A>.take() -> A", "Box.take"),
    ("Probe.Upload.state.getter : Probe.State<Swift.Int>", "Upload.state.getter"),
    ("Probe.main() -> ()", "main"), ("_dispatch_semaphore_wait_slow", "DispatchSemaphore.wait"),
    ("pthread_mutex_lock", "pthread_mutex_lock"), ("libc.so.6+0x12ab", "libc.so.6+0x12ab"),
  ]) func aNameIsWithoutModuleAndTypes(name: String, short: String) {
    #expect(CallStack.short(name) == short)
  }

  @Test func theHandlersPartIsBelowTheDelivery() {
    func frame(_ name: String, _ isOfProgram: Bool = true) -> CallStack.Frame {
      CallStack.Frame(name: name, isOfProgram: isOfProgram)
    }
    let system = [
      frame("start_thread", false), frame("_dispatch_worker_thread", false),
      frame("reabstraction thunk helper from @escaping @callee_guaranteed () -> ()"),
      frame("closure #1 () -> () in EmulatedSystem.SampleDelivery.call() -> ()"),
    ]
    let own = [
      frame("Probe.Handler.broadcastFinished() -> ()"), frame("dispatch_sync_f", false),
      frame("partial apply forwarder for closure #1 () -> () in Probe.Handler.send() -> ()"),
      frame("closure #1 () -> () in Probe.Handler.send() -> ()"), frame("Probe.Handler.send() -> ()"),
    ]
    let inner = [frame("poll", false), frame("__poll", false)]
    #expect(
      CallStack.handlersPart(of: system + own + inner) == [
        "Handler.broadcastFinished", "Handler.send", "poll",
      ])
    // The optimizer turns a wait at the end of a function into a tail call, so the function is not on the stack.
    #expect(CallStack.handlersPart(of: system + inner) == ["poll"])
    #expect(CallStack.handlersPart(of: []) == [])
  }

  @Test func theLineOfACrashIsInTheHandlersCode() {
    let stack = """
      /b e/Sources/StandIns/Frameworks/AVFoundation/Writer.swift:7 (discriminator 2)
      ??:0
      /my app/Upload/Encoder.swift:42
      /my app/Upload/SampleHandler.swift:12
      /b e/Sources/Phone/EmulatedSystem/Delivery/SampleDelivery.swift:3
      """
    #expect(CallStack.line(in: stack) == "Encoder.swift:42")
    #expect(
      CallStack.line(in: "/b/Sources/Core/A.swift:1\n/b/Sources/Phone/EmulatedSystem/B.swift:2")
        == "A.swift:1")
    #expect(CallStack.line(in: "/my/Thread.swift:9\n") == "Thread.swift:9")
    #expect(CallStack.line(in: "??:0\n/x/y.swift:?\n<compiler-generated>:0\n") == nil)
    #expect(CallStack.line(at: []) == nil)
  }
}
