/** Why the gateway cannot start, in one line for people. */
export class StartupError extends Error {}

/** The cause is this version of the program: the one before can be expected to start. */
export class VersionError extends StartupError {}
