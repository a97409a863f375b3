import Foundation
import SharedMemory
import Testing

@Suite struct GuardedPagesTests {
  @Test func openPagesAreZerosThatAnybodyMayTouch() throws {
    let pages = try GuardedPages(byteCount: 5000)
    #expect(pages.byteCount == 8192)
    // UNSAFE: within the pages, which live as long as the object.
    unsafe pages.base.storeBytes(of: 7, toByteOffset: 8191, as: UInt8.self)
    #expect(unsafe pages.base.load(fromByteOffset: 8191, as: UInt8.self) == 7)
    #expect(unsafe pages.base.load(as: UInt8.self) == 0)
    #expect(pages.touches == 0)
  }

  @Test func aTouchOfClosedPagesIsCountedAndGoesOn() throws {
    let pages = try GuardedPages(byteCount: 4096)
    // UNSAFE: as above.
    unsafe pages.base.storeBytes(of: 9, as: UInt8.self)
    pages.close()
    #expect(unsafe pages.base.load(as: UInt8.self) == 9)
    #expect(pages.touches == 1)
    // The touch opened them.
    #expect(unsafe pages.base.load(as: UInt8.self) == 9)
    #expect(pages.touches == 1)
    pages.close()
    unsafe pages.base.storeBytes(of: 3, as: UInt8.self)
    #expect(pages.touches == 2)
    pages.open()
    #expect(unsafe pages.base.load(as: UInt8.self) == 3)
  }

  @Test func theyAreNobodysOwnMemory() throws {
    let before = try footprint()
    let pages = try GuardedPages(byteCount: 32 << 20)
    // UNSAFE: as above.
    unsafe memset(pages.base, 1, pages.byteCount)
    #expect(try footprint() - before < 8 << 20)
    withExtendedLifetime(pages) {}
  }

  /// The private memory of this process, in bytes.
  private func footprint() throws -> Int {
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: "/proc/self/smaps_rollup")), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") })
    return try #require(Int(line.split(separator: " ")[1])) << 10
  }
}
