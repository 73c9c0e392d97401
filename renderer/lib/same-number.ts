/**
 * Time in milliseconds within which a second digit belongs to the same number, and does not pick an
 * item (rules#key-number-never-picks).
 */
export const SAME_NUMBER_MS = 300;
