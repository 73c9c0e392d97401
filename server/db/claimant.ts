/**
 * Identifies one of the processes that share a database, in the rows of work that it has claimed. Undefined where
 * one process has a file for itself.
 */
export interface Claimant {
  /** Names this run of the process. */
  readonly owner: string;
  /** A name that no two running processes have: the owners of earlier runs there start with it. */
  readonly place: string;
}
