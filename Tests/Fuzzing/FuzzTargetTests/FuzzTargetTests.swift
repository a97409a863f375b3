import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Runs every seed of the fuzzer, which include all findings so far, through the same functions.
@Suite struct FuzzTargetTests {
  private static let names = fuzzTargets.map { $0.name }
  private static let seeds = Document.package.appending(path: "Tests/Fuzzing/Seeds")

  @Test(arguments: names)
  func everyStoredSeedIsAcceptedOrRefused(name: String) throws {
    let target = try target(name)
    let folder = Self.seeds.appending(path: name)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(!files.isEmpty)
    for file in files {
      do { try target.run(Array(Data(contentsOf: folder.appending(path: file)))) } catch {
        Issue.record("\(name)/\(file): \(error)")
      }
    }
  }

  @Test(arguments: names)
  func everyGeneratedSeedIsAcceptedOrRefusedWholeAndTruncated(name: String) throws {
    let target = try target(name)
    for seed in try target.generatedSeeds() {
      for count in Set([0, 1, 8, 63, 64, 4095, 4096, seed.count - 1, seed.count]) where count <= seed.count {
        try target.run(Array(seed[..<count]))
      }
    }
  }

  @Test func everyTargetHasAFolderOfSeeds() throws {
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: Self.seeds.path)) == Set(Self.names))
  }

  private func target(_ name: String) throws -> any FuzzTarget {
    let type = try #require(fuzzTargets.first { $0.name == name })
    return try type.init(folder: folder.path)
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
}
