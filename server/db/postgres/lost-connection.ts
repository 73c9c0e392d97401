/**
 * Messages of pg's errors about lost or refused connections that have neither a state nor a code.
 */
const WITHOUT_STATE =
  /^(?:Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded|Query read timeout)/;

/** PostgreSQL's state for a failed connection. */
const CONNECTION_FAILURE = "08006";

/**
 * Throws the error. An error of a lost connection gets the state 08006: the server is gone, and the
 * statement may or may not have taken effect.
 */
export function throwWithState(error: unknown): never {
  if (!(error instanceof Error) || !isLostConnection(error)) throw error;
  throw Object.assign(
    new Error(`the connection to the database server is lost: ${error.message}`, { cause: error }),
    { code: CONNECTION_FAILURE },
  );
}

/** A system error of a connection names the failed system call in `syscall`. */
function isLostConnection(error: Error): boolean {
  return "syscall" in error || WITHOUT_STATE.test(error.message);
}
