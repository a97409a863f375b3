import SharedMemory

/// The folder that holds the containers of this user's app groups, where the system does not give one.
public typealias AppGroupRoot = SharedMemory.AppGroupRoot
