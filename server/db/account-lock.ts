/**
 * Lock for work that belongs to no account, such as the machine's settings and the first start. All
 * such work shares one lock; transactions of accounts do not wait for it.
 */
export const NO_ACCOUNT = Symbol("no account");

/**
 * Lock for work on rows of any account, such as a restore. It locks all accounts, so nothing is
 * sold at the same time.
 */
export const EVERY_ACCOUNT = Symbol("every account");

/**
 * Lock for claims: statements that are correct regardless of other processes, and that need no
 * notification. It locks nothing, and its commits do not wait for the disk. A failure of the
 * database server may lose the latest claims, so money must not depend on a claim alone.
 */
export const CLAIMS = Symbol("claims");

/**
 * First lock of a transaction, usually an account's id. While the transaction holds it, no other
 * transaction writes the locked rows (docs/decisions/0076).
 */
export type Lock = string | typeof NO_ACCOUNT | typeof EVERY_ACCOUNT | typeof CLAIMS;
