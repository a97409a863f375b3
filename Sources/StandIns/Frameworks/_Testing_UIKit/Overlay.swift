// Empty. Swift Testing expects a module of this name beside every module named UIKit: its overlay on Apple's platforms.
