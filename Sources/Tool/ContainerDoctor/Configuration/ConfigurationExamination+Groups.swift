import CommandLineSupport

// The app groups that the entitlements of both sides grant, and the groups that the Info.plists name.
extension ConfigurationExamination {
  mutating func checkGroups() {
    for side in sides { checkGroups(of: side) }
    guard let `extension`, let outer = app.groups, let inner = `extension`.groups, !outer.isEmpty,
      !inner.isEmpty
    else { return }
    let shared = outer.filter(inner.contains)
    // Skip strings with a build variable: equal strings may become different groups on the two sides.
    let known = outer.filter { isKnown($0, in: app.groupsPath) }
    let knownInner = inner.filter { isKnown($0, in: `extension`.groupsPath) }
    if let group = known.first(where: shared.contains) {
      add(.sharedGroup, `extension`.groupsPath, "the app and its extension share \(group.quoted)")
    } else if known.count == outer.count, knownInner.count == inner.count {
      add(
        .groupUnlike, `extension`.groupsPath,
        "the extension has \(inner.quotedText), but the app has \(outer.quotedText)")
    }
  }

  private mutating func checkGroups(of side: BundleConfiguration) {
    guard let groups = side.groups else {
      return add(
        .noEntitlements, side.infoPlist,
        "its entitlements are unknown (\(side.entitlementsGap)), so app groups were not compared")
    }
    if groups.isEmpty {
      let hasKey = side.entitlements?.list[BundleConfiguration.groupsKey] != nil
      let what = hasKey ? "has an empty list, or no list of strings," : "has no entry"
      add(.groupMissing, side.groupsPath, "it \(what) under \(BundleConfiguration.groupsKey)")
    }
    for group in groups where !group.hasPrefix("group.") && isKnown(group, in: side.groupsPath) {
      add(.groupPrefix, side.groupsPath, "the app group \(group.quoted) does not begin with 'group.'")
    }
    if let type = side.entitlements?.list[BundleConfiguration.protectionKey] as? String,
      ["NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen"].contains(type)
    {
      add(.dataProtection, side.groupsPath, "\(BundleConfiguration.protectionKey) is \(type)")
    }
    guard let profile = side.profile else { return }
    for group in groups where !profile.grants(group) && isKnown(group, in: side.groupsPath) {
      add(
        .profileGroups, profile.path,
        "it does not grant \(group.quoted) of the entitlements"
          + (profile.groups.isEmpty ? "" : ", but \(profile.groups.quotedText)"))
    }
  }

  /// Compares the groups and identifiers in the Info.plists, under any key, with the entitlements and with the extension.
  mutating func checkValues() {
    for side in sides { checkSDKGroups(of: side) }
    checkSDKExtensions()
    for side in sides { checkGroupValues(of: side) }
    guard let `extension` else { return }
    for (key, group) in Self.texts(in: app.info) where group.hasPrefix("group.") {
      guard !wrongValues.contains([app.infoPlist, key]), !wrongValues.contains([`extension`.infoPlist, key])
      else { continue }
      guard let other = `extension`.text(key), other != group else { continue }
      let areKnown = [isKnown(group, in: app.infoPlist), isKnown(other, in: `extension`.infoPlist)]
      guard areKnown == [true, true] else { continue }
      add(
        .groupValue, `extension`.infoPlist,
        "\(key) is \(other.quoted), but in the app's Info.plist \(group.quoted)")
    }
    checkExtensionValues(of: `extension`)
    checkSDKKeys(of: `extension`)
  }

  private mutating func checkGroupValues(of side: BundleConfiguration) {
    guard let groups = side.groups else { return }
    for (key, group) in Self.texts(in: side.info) where group.hasPrefix("group.") {
      guard !wrongValues.contains([side.infoPlist, key]), isKnown(group, in: side.infoPlist),
        !groups.contains(group),
        groups.allSatisfy({ isKnown($0, in: side.groupsPath) })
      else { continue }
      add(
        .groupValue, side.infoPlist,
        "\(key) is \(group.quoted), but the entitlements have "
          + (groups.isEmpty ? "no app group" : groups.quotedText))
    }
  }

  /// Returns the strings at the top level and in lists there, with their keys, sorted by key.
  static func texts(in info: [String: Any]) -> [(key: String, text: String)] {
    info.sorted { $0.key < $1.key }.flatMap { key, value in
      (value as? [String] ?? [value as? String].compactMap { $0 }).map { (key: key, text: $0) }
    }
  }
}

extension BundleConfiguration.Entitlements {
  /// Whether a provisioning profile grants an app group. A profile for macOS may have a group that ends in an asterisk.
  func grants(_ group: String) -> Bool {
    groups.contains { $0 == group || ($0.hasSuffix("*") && group.hasPrefix($0.dropLast())) }
  }
}

extension BundleConfiguration {
  /// The path of the entitlements, or of the Info.plist if the entitlements are unknown.
  var groupsPath: String { entitlements?.path ?? infoPlist }
}
