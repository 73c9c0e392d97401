/**
 * A second digit within this time belongs to the same number as the one before, and is no choice
 * (rules#key-number-never-picks).
 */
export const SAME_NUMBER_MS = 300;
