import Foundation
import TestSupport
import Testing

/// The sizes of the folders, which `.ci/budgets` limits.
@Suite struct BudgetTests {
  struct Budget: CustomTestStringConvertible {
    let limit: Int
    /// What is counted: `lines` of all text files, or `bytes` of the pages.
    let unit: String
    let folders: [String]
    var testDescription: String { folders.joined(separator: " ") }

    /// The lines of the text files of the folders, or the bytes of their pages.
    func count() throws -> Int {
      try folders.flatMap(Self.files).reduce(0) { sum, file in
        let data = try Data(contentsOf: file)
        guard unit == "lines" else { return sum + (file.pathExtension == "md" ? data.count : 0) }
        return sum + (String(data: data, encoding: .utf8) == nil ? 0 : data.count { $0 == 0x0A })
      }
    }

    private static func files(of path: String) throws -> [URL] {
      let keys: [URLResourceKey] = [.isRegularFileKey]
      let place = Document.package.appending(path: path)
      guard try place.resourceValues(forKeys: Set(keys)).isRegularFile != true else { return [place] }
      let files = try #require(
        FileManager.default.enumerator(
          at: place, includingPropertiesForKeys: keys, options: .skipsHiddenFiles))
      return try files.compactMap { $0 as? URL }.filter {
        try $0.resourceValues(forKeys: Set(keys)).isRegularFile == true
      }
    }
  }

  static let budgets: [Budget] = {
    do {
      return try Document(".ci/budgets").text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
        line in
        let words = line.split(separator: " ").map(String.init)
        return Budget(
          limit: try #require(Int(words[0])), unit: try #require(words.dropFirst().first),
          folders: Array(words.dropFirst(2)))
      }
    } catch {
      fatalError("\(error)")
    }
  }()

  @Test(arguments: budgets) func aFolderKeepsItsBudget(budget: Budget) throws {
    let count = try budget.count()
    print("Size: \(count) of \(budget.limit) \(budget.unit), \(budget.testDescription)")
    #expect(count > 0)
    #expect(
      count <= budget.limit,
      "Take something out, or raise the budget in .ci/budgets in a commit that says why.")
  }

  @Test func everyFolderOfTheSourcesHasABudget() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Document.package.appending(path: "Sources").path)
    #expect(!folders.isEmpty)
    for folder in folders {
      let budgets = Self.budgets.filter { budget in
        budget.folders.contains { $0 == "Sources/\(folder)" || $0.hasPrefix("Sources/\(folder)/") }
      }
      #expect(!budgets.isEmpty, "\(folder)")
    }
  }
}
