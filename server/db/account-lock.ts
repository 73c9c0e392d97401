/**
 * For work that belongs to no account: settings of the machine, the first start. There is one lock for all
 * of it, which accounts do not wait for.
 */
export const NO_ACCOUNT = Symbol("no account");

/** For work on rows of any account, such as a restore: it locks all of them, so nobody sells meanwhile. */
export const EVERY_ACCOUNT = Symbol("every account");

/**
 * For claims: statements that are right whatever others write meanwhile, and of which no other process has to
 * hear. It locks nothing, and does not wait for the disk: what was written in the last moments before a database server
 * failed may be gone, so no money may move on the strength of it alone.
 */
export const CLAIMS = Symbol("claims");

/**
 * What a transaction locks before anything else, by an account's id mostly. Within that it may read and then
 * write: nobody else writes meanwhile (docs/decisions/0076).
 */
export type Lock = string | typeof NO_ACCOUNT | typeof EVERY_ACCOUNT | typeof CLAIMS;
