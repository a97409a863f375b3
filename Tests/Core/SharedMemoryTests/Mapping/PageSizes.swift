import TestSupport

/// The page sizes of Linux on x86-64 and arm64.
let pageSizes = [4096, 16_384, 65_536]

/// Truncates a file, with the effect on its mappings that a host with pages of `pageSize` shows: the rest of the last page
/// reads as zeros, and the pages after it raise SIGBUS. The pages of this host must not be larger.
func cut(_ path: String, to byteCount: Int, pageSize: Int) throws {
  let size = try System.status(of: PlainFile.open(path)).byteCount
  setSize(of: path, to: byteCount)
  let lastPageEnd = (byteCount + pageSize - 1) / pageSize * pageSize
  setSize(of: path, to: min(size, lastPageEnd))
}
