/** What was searched for elsewhere, to be sold now. */
export interface CounterWish {
  /** A number to sell a top-up to, or the beginning of one, as it might be typed. */
  readonly number?: string;
  /** Words for the picker of the family that is open: a brand, a place, a biller. */
  readonly find?: string;
  /** The sales that were put aside. */
  readonly held?: true;
}
