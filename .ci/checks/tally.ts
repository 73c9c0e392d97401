/** What one run of tests came to. A skipped test is "name: reason". */
export interface Tally {
  passed: number;
  failed: number;
  skipped: string[];
  /** What passed at the second try only. */
  unsteady: string[];
}
