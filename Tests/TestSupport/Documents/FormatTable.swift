/// A table of `Docs/Internals/FileFormat.md`: the named fields under a heading, with offset and size.
package struct FormatTable {
  /// Where a field lies.
  package struct Place: Equatable {
    /// The bytes before it.
    package var offset: Int
    /// Its bytes; `nil` when the table leaves them open.
    package var size: Int?

    /// A place as a test expects it.
    package init(offset: Int, size: Int?) { (self.offset, self.size) = (offset, size) }
  }

  /// The fields by name; none when there is no such heading.
  package let fields: [String: Place]

  /// The table below a heading of the third level.
  package init(under heading: String) throws {
    fields = try Document("Docs/Internals/FileFormat.md").rows.reduce(into: [:]) { fields, row in
      guard row.subsection == heading, let offset = Int(row.cells[0]), !row.cells[2].isEmpty else { return }
      fields[row.cells[2]] = Place(offset: offset, size: Int(row.cells[1]))
    }
  }
}
