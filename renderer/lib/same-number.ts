/** A second digit within this time is of the same number as the one before, and no choice. */
export const SAME_NUMBER_MS = 300;
