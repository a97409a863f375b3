import Platform
import TestSupport

/// The sizes that pages have under Linux on x86-64 and arm64.
let pageSizes = [4096, 16_384, 65_536]

/// Cuts a file short, with the effect on its mappings that a machine with pages of `pageSize` shows: the rest of the last
/// page reads as zeros, and the pages after it raise SIGBUS. This machine's pages must not be larger.
func cut(_ path: String, to byteCount: Int, pageSize: Int) throws {
  let size = try System.status(of: PlainFile.open(path)).byteCount
  setSize(of: path, to: byteCount)
  let lastPageEnd = (byteCount + pageSize - 1) / pageSize * pageSize
  setSize(of: path, to: min(size, lastPageEnd))
}
