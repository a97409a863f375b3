import CommandLineSupport

// The keys under which SDKs read the app group and the extension's identifier. Their values are judged whatever they look
// like.
extension ConfigurationExamination {
  mutating func checkSDKGroups(of side: BundleConfiguration) {
    for keys in SDKKeys.all {
      guard let value = side.info[keys.group],
        !keys.isCommonName || keys.extension.contains(where: { app.info[$0] != nil }),
        let text = text(value, keys.group, of: keys, in: side),
        !text.hasPrefix("group.")
      else { continue }
      addWrong(
        keys.group, of: keys, in: side, "is \(text.quoted) and does not begin with 'group.'",
        remedy: "set \(keys.group) to the app group of both entitlements")
    }
  }

  mutating func checkSDKExtensions() {
    for keys in SDKKeys.all {
      for key in keys.extension {
        guard let value = app.info[key], let text = text(value, key, of: keys, in: app) else { continue }
        let identifier = `extension`?.identifier
        // A value that cannot be compared may still not be an identifier.
        if text != identifier, text.wholeMatch(of: /[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+/) == nil {
          addWrong(
            key, of: keys, in: app, "is \(text.quoted), not a bundle identifier",
            remedy: "set \(key) to " + (identifier?.quoted ?? "the identifier of the extension"))
        }
      }
    }
  }

  /// Returns the string under a key. If the value is not a usable string, adds a finding and returns `nil`.
  private mutating func text(
    _ value: Any, _ key: String, of keys: SDKKeys, in side: BundleConfiguration
  ) -> String? {
    guard let text = value as? String else {
      let type = value is [Any] ? "a list" : value is [String: Any] ? "a dictionary" : "a number or a date"
      addWrong(key, of: keys, in: side, "is \(type), not a string", remedy: "make \(key) a string")
      return nil
    }
    if text.allSatisfy(\.isWhitespace) {
      addWrong(
        key, of: keys, in: side, "is empty",
        remedy: "set \(key), or remove it if \(keys.name) is not used")
      return nil
    }
    guard isKnown(text, in: side.infoPlist) else { return nil }
    if text.contains(where: \.isWhitespace) {
      addWrong(
        key, of: keys, in: side, "is \(text.quoted) and contains a blank",
        remedy: "remove the blank from \(key)")
      return nil
    }
    return text
  }

  private mutating func addWrong(
    _ key: String, of keys: SDKKeys, in side: BundleConfiguration, _ what: String, remedy: String
  ) {
    wrongValues.insert([side.infoPlist, key])
    add(.sdkValue, side.infoPlist, "\(key) \(what)", remedy: remedy)
  }

  mutating func checkExtensionValues(of side: BundleConfiguration) {
    for (key, value) in Self.texts(in: app.info) where SDKKeys.isForExtension(key) {
      guard !wrongValues.contains([app.infoPlist, key]) else { continue }
      // A key that only resembles a known one may have another meaning, such as a name, if its value is not an identifier.
      guard isKnown(value, in: app.infoPlist), value.contains(".") || SDKKeys.isExtension(key),
        let identifier = side.identifier, value != identifier, isKnown(identifier, in: side.infoPlist)
      else { continue }
      add(
        .extensionValue, app.infoPlist,
        "\(key) is \(value.quoted), but the extension is \(identifier.quoted)",
        remedy: "set \(key) to \(identifier.quoted)")
    }
  }

  mutating func checkSDKKeys(of side: BundleConfiguration) {
    for keys in SDKKeys.all {
      let hasGroup = app.info[keys.group] != nil
      let hasExtension = keys.extension.contains { app.info[$0] != nil }
      let missing: String? =
        switch (hasGroup, hasExtension) {
        case (true, false): keys.extension.joined(separator: " or ")
        case (false, true): keys.group
        default: nil
        }
      if let missing {
        add(
          .sdkKeys, app.infoPlist, "it has a key of \(keys.name), but \(missing) is missing",
          remedy: "add \(missing), unless the code of the app sets it")
      }
      if keys.isGroupInExtension, hasGroup, side.info[keys.group] == nil {
        add(
          .sdkKeys, side.infoPlist, "\(keys.group) of \(keys.name) is in the app's Info.plist only",
          remedy: "add \(keys.group) to the extension's Info.plist as well")
      }
    }
  }
}
