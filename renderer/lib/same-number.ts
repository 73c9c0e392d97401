/**
 * A second digit within this time belongs to the same number, and does not pick an item
 * (rules#key-number-never-picks).
 */
export const SAME_NUMBER_MS = 300;
