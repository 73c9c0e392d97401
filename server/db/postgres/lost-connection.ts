/** Errors of pg without a state or a code for a lost or refused connection. */
const WITHOUT_STATE =
  /^(?:Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded|Query read timeout)/;

/** PostgreSQL's own state of a connection that failed. */
const CONNECTION_FAILURE = "08006";

/**
 * Throws the error. A lost connection gets the state that marks it everywhere: the server is gone, and the
 * statement may or may not have taken effect.
 */
export function throwWithState(error: unknown): never {
  if (!(error instanceof Error) || !isLostConnection(error)) throw error;
  throw Object.assign(
    new Error(`the connection to the database server is lost: ${error.message}`, { cause: error }),
    { code: CONNECTION_FAILURE },
  );
}

/** Errors of the system name the call that failed, such as a read from the connection. */
function isLostConnection(error: Error): boolean {
  return "syscall" in error || WITHOUT_STATE.test(error.message);
}
