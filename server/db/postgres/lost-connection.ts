/** What pg throws without a state or a code when a connection is gone, or none can be had. */
const WITHOUT_STATE =
  /^(?:Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded|Query read timeout)/;

/** PostgreSQL's own state of a connection that failed. */
const CONNECTION_FAILURE = "08006";

/**
 * Throws the error, a lost connection with the state by which it is known everywhere for what it is: the server is
 * away, and what was asked may or may not have happened.
 */
export function throwWithState(error: unknown): never {
  if (!(error instanceof Error) || !isLostConnection(error)) throw error;
  throw Object.assign(
    new Error(`the connection to the database server is lost: ${error.message}`, { cause: error }),
    { code: CONNECTION_FAILURE },
  );
}

/** Those of the system have the call that failed, such as a read from the connection. */
function isLostConnection(error: Error): boolean {
  return "syscall" in error || WITHOUT_STATE.test(error.message);
}
