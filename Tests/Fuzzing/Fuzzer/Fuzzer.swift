import Foundation
import FuzzTargets

// The functions that libFuzzer calls; libFuzzer has `main`. `$FUZZ_TARGET` names the target, whose files are in the
// current folder. `Tests/Fuzzing/fuzz` builds and runs this.

/// Adds the generated seeds to the corpus. libFuzzer calls it before it reads the corpus.
@c(LLVMFuzzerInitialize) public func initialize(
  _ count: UnsafeMutablePointer<Int32>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
  let folder = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "generated")
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, seed) in try target.generatedSeeds().enumerated() {
      try Data(seed).write(to: folder.appending(path: "generated-\(index)"))
    }
  } catch {
    fatalError("The seeds cannot be written: \(error)")
  }
  return 0
}

/// Runs one input.
@c(LLVMFuzzerTestOneInput) public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  // UNSAFE: libFuzzer lends `count` bytes for the call; they are copied at once.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do { try target.run(bytes) } catch { fatalError("\(error)") }
  return 0
}

/// The target of this process. libFuzzer calls from one thread.
private let target: any FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let type = fuzzTargets.first(where: { $0.name == name }) else {
    fatalError("$FUZZ_TARGET must be one of \(fuzzTargets.map { $0.name })")
  }
  let folder = FileManager.default.currentDirectoryPath + "/files"
  do {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try type.init(folder: folder)
  } catch {
    fatalError("The target cannot be created: \(error)")
  }
}()
