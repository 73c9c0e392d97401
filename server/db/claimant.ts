/**
 * Names a process in the rows that it has claimed in a shared database. Undefined if only one
 * process uses the database file.
 */
export interface Claimant {
  readonly owner: string;
  /**
   * Name that no two running processes share. It starts the `owner` of every run of the process.
   */
  readonly place: string;
}
