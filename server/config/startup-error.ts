/** Error that prevents the start. The message is one line for a person. */
export class StartupError extends Error {
  /** Whether every start fails until a person changes something. */
  readonly isLasting: boolean = false;
}

/**
 * Error that lasts until a person changes something. The process ends with a separate exit code.
 */
export class LastingError extends StartupError {
  override readonly isLasting = true;
}

/** Error that this version of the program causes. The previous version would probably start. */
export class VersionError extends StartupError {}
