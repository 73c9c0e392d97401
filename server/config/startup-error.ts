/** Why the gateway cannot start, in one line for people. */
export class StartupError extends Error {
  /** Whether this program on this data ends so however often it is started: what starts it need not try again. */
  readonly isLasting: boolean = false;
}

/** A start that ends so until a person has changed something: the process ends with a code of its own. */
export class LastingError extends StartupError {
  override readonly isLasting = true;
}

/** The cause is this version of the program: the one before can be expected to start. */
export class VersionError extends StartupError {}
