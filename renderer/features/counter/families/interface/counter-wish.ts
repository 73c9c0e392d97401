/** A sale to prepare at the counter, from a search elsewhere in the program. */
export interface CounterWish {
  /** The number of a top-up, complete or not, as it might be typed. */
  readonly number?: string;
  /** Search words for the picker of the open family: a brand, a place or a biller. */
  readonly find?: string;
  /** Opens the list of held sales. */
  readonly held?: true;
}
