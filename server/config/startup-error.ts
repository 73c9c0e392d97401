/** Reason why the gateway cannot start, in one line for people. */
export class StartupError extends Error {
  /**
   * True if every further start fails alike until a person changes something, so that a service manager need
   * not retry.
   */
  readonly isLasting: boolean = false;
}

/** A start failure that lasts until a person changes something: the process has an exit code for it. */
export class LastingError extends StartupError {
  override readonly isLasting = true;
}

/** This version of the program is the cause: the previous version can be expected to start. */
export class VersionError extends StartupError {}
