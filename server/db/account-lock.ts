/**
 * The lock of work that belongs to no account: settings of the machine, the first start. All such work
 * shares one lock, which accounts do not wait for.
 */
export const NO_ACCOUNT = Symbol("no account");

/**
 * The lock of work on rows of any account, such as a restore: it locks all accounts, so nothing is sold at
 * the same time.
 */
export const EVERY_ACCOUNT = Symbol("every account");

/**
 * The lock of claims: statements that are correct whatever other processes write, and that no other process has to be
 * notified of. It locks nothing and does not wait for the disk: the writes of the last moments before a failure of the
 * database server may be lost, so money must not depend on a claim alone.
 */
export const CLAIMS = Symbol("claims");

/**
 * The first lock of a transaction, usually an account's id. While the transaction holds it, no other
 * transaction writes the locked rows (docs/decisions/0076).
 */
export type Lock = string | typeof NO_ACCOUNT | typeof EVERY_ACCOUNT | typeof CLAIMS;
