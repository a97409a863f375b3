import CommandLineSupport

// The app groups: what the entitlements of both sides grant, and what the Info.plists name.
extension ConfigurationExamination {
  private var sides: [BundleConfiguration] { [app, `extension`].compactMap { $0 } }

  mutating func checkGroups() {
    for side in sides { checkGroups(of: side) }
    guard let `extension`, let outer = app.groups, let inner = `extension`.groups, !outer.isEmpty,
      !inner.isEmpty
    else { return }
    let shared = outer.filter(inner.contains)
    // The same text with a variable may become another group on each side.
    let known = outer.filter { isKnown($0, in: app.groupsPath) }
    let knownInner = inner.filter { isKnown($0, in: `extension`.groupsPath) }
    if let group = known.first(where: shared.contains) {
      add(.sharedGroup, `extension`.groupsPath, "the app and its extension share \(group.quoted)")
    } else if known.count == outer.count, knownInner.count == inner.count {
      add(
        .groupUnlike, `extension`.groupsPath,
        "the extension has \(inner.quotedText), and the app has \(outer.quotedText)")
    }
  }

  private mutating func checkGroups(of side: BundleConfiguration) {
    guard let groups = side.groups else {
      return add(
        .noEntitlements, side.infoPlist, "its entitlements are unknown, so app groups were not compared")
    }
    if groups.isEmpty {
      let hasKey = side.entitlements?.list[BundleConfiguration.groupsKey] != nil
      let what = hasKey ? "has no list of texts, or an empty one," : "has no entry"
      add(.groupMissing, side.groupsPath, "it \(what) under \(BundleConfiguration.groupsKey)")
    }
    for group in groups where !group.hasPrefix("group.") && isKnown(group, in: side.groupsPath) {
      add(.groupPrefix, side.groupsPath, "the app group \(group.quoted) does not begin with 'group.'")
    }
  }

  /// Compares what the Info.plists name, under whichever key, with the groups and with the extension.
  mutating func checkValues() {
    for side in sides { checkGroupValues(of: side) }
    guard let `extension` else { return }
    for (key, group) in Self.texts(in: app.info) where group.hasPrefix("group.") {
      guard let other = `extension`.text(key), other != group else { continue }
      let areKnown = [isKnown(group, in: app.infoPlist), isKnown(other, in: `extension`.infoPlist)]
      guard areKnown == [true, true] else { continue }
      add(
        .groupValue, `extension`.infoPlist,
        "\(key) is \(other.quoted), and in the app's Info.plist \(group.quoted)")
    }
    checkExtensionValues(of: `extension`)
    checkSDKKeys(of: `extension`)
  }

  private mutating func checkGroupValues(of side: BundleConfiguration) {
    guard let groups = side.groups else { return }
    for (key, group) in Self.texts(in: side.info) where group.hasPrefix("group.") {
      guard isKnown(group, in: side.infoPlist), !groups.contains(group),
        groups.allSatisfy({ isKnown($0, in: side.groupsPath) })
      else { continue }
      add(
        .groupValue, side.infoPlist,
        "\(key) is \(group.quoted), and the entitlements have "
          + (groups.isEmpty ? "no app group" : groups.quotedText))
    }
  }

  private mutating func checkExtensionValues(of side: BundleConfiguration) {
    guard let identifier = side.identifier else { return }
    for (key, value) in Self.texts(in: app.info) where SDKKeys.isForExtension(key) && value.contains(".") {
      guard value != identifier, isKnown(value, in: app.infoPlist), isKnown(identifier, in: side.infoPlist)
      else { continue }
      add(
        .extensionValue, app.infoPlist,
        "\(key) is \(value.quoted), and the extension is \(identifier.quoted)",
        remedy: "set \(key) to \(identifier.quoted)")
    }
  }

  private mutating func checkSDKKeys(of side: BundleConfiguration) {
    for keys in SDKKeys.all {
      let hasExtension = keys.extension.contains { app.text($0) != nil }
      let missing: String? =
        switch (app.text(keys.group) != nil, hasExtension) {
        case (true, false): keys.extension.joined(separator: " or ")
        case (false, true): keys.group
        default: nil
        }
      if let missing {
        add(
          .sdkKeys, app.infoPlist, "it has a key of \(keys.name), and \(missing) is missing",
          remedy: "add \(missing), unless the code of the app sets it")
      }
      if keys.isGroupInExtension, app.text(keys.group) != nil, side.text(keys.group) == nil {
        add(
          .sdkKeys, side.infoPlist, "\(keys.group) of \(keys.name) is in the app's Info.plist only",
          remedy: "add \(keys.group) to the extension's Info.plist as well")
      }
    }
  }

  /// The texts at the top level and in lists there, with their keys, in order.
  private static func texts(in info: [String: Any]) -> [(key: String, text: String)] {
    info.sorted { $0.key < $1.key }.flatMap { key, value in
      (value as? [String] ?? [value as? String].compactMap { $0 }).map { (key: key, text: $0) }
    }
  }
}

extension BundleConfiguration {
  /// The file of the entitlements, or of the Info.plist if they are unknown.
  var groupsPath: String { entitlements?.path ?? infoPlist }
}
