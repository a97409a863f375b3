/// How many characters a terminal shows.
public struct TerminalSize: Hashable, Sendable {
  /// Characters in a line.
  public var columns: Int
  /// Lines.
  public var rows: Int

  /// The size taken when there is no terminal to ask: 80 by 24.
  public static let fallback = TerminalSize(columns: 80, rows: 24)

  /// A size of so many characters.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
