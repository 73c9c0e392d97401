/** Format of an exchange rate. Rates stay text, because a float would lose digits. */
const RATE = /^[0-9]{1,9}(\.[0-9]{1,9})?$/;
const FAR_TIMES = 3;

export function cleanRate(text: string): string {
  return text.trim().replace(",", ".");
}

export function isRate(text: string): boolean {
  const rate = cleanRate(text);
  return RATE.test(rate) && /[1-9]/.test(rate);
}

/**
 * Returns whether a rate differs so much from the reference that a digit or the point may be wrong.
 */
export function isFarRate(text: string, reference: string): boolean {
  if (!isRate(text) || !isRate(reference)) {
    return false;
  }
  const times = Number(cleanRate(text)) / Number(cleanRate(reference));
  return times > FAR_TIMES || times < 1 / FAR_TIMES;
}
