import TestSupport

@testable import Platform

@Suite struct AppGroupRootTests {
  private let name = "/broadcast-\(getuid())"

  private func root(_ environment: [String: String] = [:], writable: Set<String> = []) -> AppGroupRoot {
    .standard(environment: environment, isWritableFolder: { writable.contains($0) })
  }

  @Test func theEnvironmentComesFirst() {
    let root = root(
      ["BROADCAST_CONTAINER": "/chosen", "XDG_RUNTIME_DIR": "/run"], writable: ["/dev/shm", "/run"])
    #expect(root.path == "/chosen" && !root.isDiskFallback)
  }

  @Test func memoryComesBeforeTheDisk() {
    let environment = ["BROADCAST_CONTAINER": "", "XDG_RUNTIME_DIR": "/run"]
    #expect(root(environment, writable: ["/dev/shm", "/run"]).path == "/dev/shm" + name)
    #expect(root(environment, writable: ["/run"]).path == "/run" + name)
    #expect(!root(environment, writable: ["/run"]).isDiskFallback)
  }

  @Test func theTemporaryFolderIsTheLastResortAndIsReported() {
    let fallback = root(["XDG_RUNTIME_DIR": "/run"])
    #expect(fallback.isDiskFallback && fallback.path.hasSuffix(name) && !fallback.path.contains("//"))
  }
}
