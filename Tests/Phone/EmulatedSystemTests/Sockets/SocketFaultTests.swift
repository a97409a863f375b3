import TestSupport

@testable import EmulatedSystem

@Suite struct SocketFaultTests {
  @Test func attributesHaveToxiproxysNamesAndStandardValues() throws {
    let fault = try SocketFault(
      text: "slicer,average_size=100,size_variation=20,delay=50,stream=downstream,toxicity=0.5,seed=9")
    #expect(fault.kind == .slicer)
    #expect(["average_size", "size_variation", "delay"].map { fault[$0] } == [100, 20, 50])
    #expect(fault.stream == .downstream && fault.percentage == 50 && fault.seed == 9)
    let plain = try SocketFault(text: "reset_peer")
    #expect(plain["timeout"] == 0 && plain.stream == .upstream && plain.percentage == 100 && plain.seed == 1)
  }

  @Test(arguments: [
    ("latecy,latency=3", "There is no socket fault 'latecy'; did you mean 'latency'?"),
    ("down", "There is no socket fault 'down'; the faults are latency, bandwidth, "),
    ("latency", "'latency' needs the attribute 'latency', as in latency,latency=300."),
    ("latency,300", "'latency' expects attributes such as seed=7, each once, not '300'."),
    ("bandwidth,rate=1,rate=2", "'bandwidth' expects attributes such as seed=7, each once, not 'rate=2'."),
    ("bandwidth,rate=0", "'rate' of 'bandwidth' expects a whole number from 1 to 1000000, not '0'."),
    ("slicer,average_size=9,size_variation=9", "'slicer' expects a size_variation below average_size"),
    ("limit_data,bytes=9,jitter=1", "'limit_data' has no attribute 'jitter'; it has bytes, stream, "),
    ("timeout,stream=left", "'stream' of 'timeout' expects one of upstream, downstream, not 'left'."),
    ("timeout,toxicity=2", "'toxicity' of 'timeout' expects a probability from 0 to 1"),
  ])
  func theErrorOfAWrongTextSaysWhatIsExpected(_ text: String, _ start: String) throws {
    let error = try #require(#expect(throws: UsageError.self) { try DeviceEvent(text: "socket:\(text)") })
    #expect(error.message.hasPrefix(start))
  }
}
