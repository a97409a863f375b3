import Foundation
import Platform
import Testing

@testable import EmulatedSystem

@Suite struct GuardedPagesTests {
  @Test func unprotectedPagesAreZerosAndAccessible() throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let pages = try GuardedPages(byteCount: page + 1)
    #expect(pages.byteCount == 2 * page)
    let last = pages.byteCount - 1
    // UNSAFE: within the pages, which live as long as the object.
    unsafe pages.base.storeBytes(of: 7, toByteOffset: last, as: UInt8.self)
    #expect(unsafe pages.base.load(fromByteOffset: last, as: UInt8.self) == 7)
    #expect(unsafe pages.base.load(as: UInt8.self) == 0)
    #expect(pages.touches == 0)
  }

  @Test func anAccessToProtectedPagesIsCountedAndSucceeds() throws {
    let pages = try GuardedPages(byteCount: 4096)
    // UNSAFE: as above.
    unsafe pages.base.storeBytes(of: 9, as: UInt8.self)
    pages.setProtected(true)
    #expect(unsafe pages.base.load(as: UInt8.self) == 9)
    #expect(pages.touches == 1)
    // The access ended the protection.
    #expect(unsafe pages.base.load(as: UInt8.self) == 9)
    #expect(pages.touches == 1)
    pages.setProtected(true)
    unsafe pages.base.storeBytes(of: 3, as: UInt8.self)
    #expect(pages.touches == 2)
    pages.setProtected(false)
    #expect(unsafe pages.base.load(as: UInt8.self) == 3)
  }

  @Test func aSystemCallWithProtectedPagesFailsAndIsNotCounted() throws {
    let pages = try GuardedPages(byteCount: 4096)
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    pages.setProtected(true)
    // UNSAFE: as above; the kernel checks the protection itself.
    #expect(unsafe write(descriptor, pages.base, 16) == -1 && errno == EFAULT)
    #expect(pages.touches == 0)
    pages.setProtected(false)
    #expect(unsafe write(descriptor, pages.base, 16) == 16)
    #expect(pages.touches == 0)
  }

  @Test func pagesAreNotPrivateMemory() throws {
    let pages = try GuardedPages(byteCount: 1 << 20)
    // UNSAFE: as above.
    unsafe memset(pages.base, 1, pages.byteCount)
    let start = unsafe UInt64(UInt(bitPattern: pages.base))
    let mappings = try MemoryMapping.all().filter { $0.range.contains(start) }
    let mapping = try #require(mappings.first)
    #expect(mapping.resident >= 1 << 20 && mapping.anonymous == 0)
    withExtendedLifetime(pages) {}
  }
}
