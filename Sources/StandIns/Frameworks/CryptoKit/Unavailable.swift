// Names of CryptoKit that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has SHA256 alone: add swift-crypto, and import Crypto.")
public enum AES {
  public enum GCM {
    public struct SealedBox { public init(combined: some DataProtocol) throws {} }
    public static func seal(_ message: some DataProtocol, using key: SymmetricKey) throws -> SealedBox {
      try SealedBox(combined: Data())
    }
    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data { Data() }
  }
}
@available(*, unavailable, message: "The emulator has SHA256 alone: add swift-crypto, and import Crypto.")
public struct HMAC<Hash> {
  public static func authenticationCode(for data: some DataProtocol, using key: SymmetricKey) -> Data {
    Data()
  }
}
@available(*, unavailable, message: "The emulator has SHA256 alone: add swift-crypto, and import Crypto.")
public struct SymmetricKey {
  public enum Size { case bits128, bits192, bits256 }
  public init(size: Size) {}
  public init(data: some ContiguousBytes) {}
}
@available(*, unavailable, message: "The emulator has SHA256 alone: add swift-crypto, and import Crypto.")
public enum Insecure {
  public struct MD5 { public static func hash(data: some DataProtocol) -> Data { Data() } }
  public struct SHA1 { public static func hash(data: some DataProtocol) -> Data { Data() } }
}
