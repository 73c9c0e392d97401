/**
 * Time in milliseconds: a second digit within it belongs to the same number, and does not pick an
 * item (rules#key-number-never-picks).
 */
export const SAME_NUMBER_MS = 300;
