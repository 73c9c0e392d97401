export interface CounterWish {
  /** Typed number of a top-up, which may be incomplete. */
  readonly number?: string;
  /** Search words for the picker of the open family: a brand, a place or a biller. */
  readonly find?: string;
  readonly held?: true;
}
