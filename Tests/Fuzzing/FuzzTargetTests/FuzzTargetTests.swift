import FuzzTargets
import TestSupport

/// Runs all seeds of the fuzzer (including all findings so far) through the same functions.
@Suite struct FuzzTargetTests {
  private static let names = fuzzTargets.map { $0.name }
  private static let seeds = Document.package.appending(path: "Tests/Fuzzing/Seeds")

  @Test(arguments: names) func everyStoredSeedIsAcceptedOrRefused(name: String) throws {
    let target = try target(name)
    let seeds = try storedSeeds(name)
    #expect(!seeds.isEmpty)
    for (file, seed) in seeds {
      do { try target.run(seed) } catch { Issue.record("\(name)/\(file): \(error)") }
    }
  }

  @Test(arguments: names) func everyGeneratedSeedIsAcceptedOrRefusedWholeAndTruncated(name: String) throws {
    let target = try target(name)
    for seed in try target.generatedSeeds() {
      for count in Set([0, 1, 8, 63, 64, 4095, 4096, seed.count - 1, seed.count]) where count <= seed.count {
        try target.run(Array(seed[..<count]))
      }
    }
  }

  /// A short search with the same random numbers each time. The fuzzer searches longer, guided by coverage.
  @Test(arguments: names) func damagedSeedsAndRandomBytesAreAcceptedOrRefused(name: String) throws {
    let target = try target(name)
    var random = SeededGenerator(seed: 1)
    let seeds = try storedSeeds(name).map(\.bytes) + target.generatedSeeds()
    for turn in 0..<200 {
      var bytes = seeds[turn % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let values = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
        bytes[Int.random(in: 0..<min(bytes.count, 400), using: &random)] =
          values[Int.random(in: 0..<values.count, using: &random)]
      }
      if random.once(in: 4) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
      if random.once(in: 8) { bytes = random.bytes(count: Int.random(in: 0...300, using: &random)) }
      do { try target.run(bytes) } catch { Issue.record("\(name), turn \(turn): \(error)") }
    }
  }

  @Test func everyTargetHasAFolderOfSeeds() throws {
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: Self.seeds.path)) == Set(Self.names))
  }

  private func storedSeeds(_ name: String) throws -> [(file: String, bytes: [UInt8])] {
    let folder = Self.seeds.appending(path: name)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
      (file, Array(try Data(contentsOf: folder.appending(path: file))))
    }
  }

  private func target(_ name: String) throws -> any FuzzTarget {
    let type = try #require(fuzzTargets.first { $0.name == name })
    return try type.init(folder: folder.path)
  }

  private let folder = TemporaryFolder.ofSuite()
}
