/**
 * Identifies a process that shares a database, in the rows that it has claimed. Undefined if only
 * one process uses the database file.
 */
export interface Claimant {
  readonly owner: string;
  /**
   * A name that no two running processes share. The `owner` of each run with this name starts with
   * the name.
   */
  readonly place: string;
}
