/** Reason why the gateway cannot start, as one readable line. */
export class StartupError extends Error {
  /**
   * True if every further start would fail until a person changes something. A service
   * manager then need not retry.
   */
  readonly isLasting: boolean = false;
}

/**
 * A start failure that lasts until a person changes something. The process
 * ends with its own exit code.
 */
export class LastingError extends StartupError {
  override readonly isLasting = true;
}

/** A failure that this program version causes: the previous version would probably start. */
export class VersionError extends StartupError {}
