/**
 * A process among those that share a database, as it signs what it has under way. There is none where one process
 * has a file for itself.
 */
export interface Claimant {
  /** Names this run of the process. */
  readonly owner: string;
  /** Names what no two processes have at once: the owners of earlier runs there begin so. */
  readonly place: string;
}
