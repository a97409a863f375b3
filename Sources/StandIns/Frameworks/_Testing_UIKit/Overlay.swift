// Empty. For every module named UIKit, Swift Testing expects a module of this name: its overlay on Apple's platforms.
