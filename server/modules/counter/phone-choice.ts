import type { PosPhone } from "../../contract/pos/counter.ts";

/** What typed digits can mean, with what the shop knows of each number. */
interface Readings {
  /** Read as they are, country code first. */
  written: PosPhone;
  /** A number of the shop's own country that was typed without its code. */
  meant: PosPhone | undefined;
  /** The digits begin with that code: they may be an international number that is unfinished. */
  beginsWithOwnCode: boolean;
  /** The number of a small repair, where the digits are none. */
  repaired: PosPhone | undefined;
}

/**
 * Which number typed digits are (rules#topup-local-number). Where they can be two, neither is chosen
 * unless the shop knows one of them; the clerk gets the `choices`. A number that cannot be topped up is
 * no choice: a fixed line is the answer only where nothing else fits.
 */
export function chooseNumber({ written, meant, beginsWithOwnCode, repaired }: Readings): PosPhone {
  if (!meant) {
    const isOffered = repaired && takesTopups(repaired);
    return isOffered ? { ...written, choices: [repaired], isRepaired: true } : written;
  }
  if (!written.valid && !beginsWithOwnCode) return meant;
  if (!takesTopups(meant)) return takesTopups(written) || !written.valid ? written : meant;
  if (written.valid && !takesTopups(written)) return meant;
  const choices = written.valid ? [meant, written] : [meant];
  const [known, another] = choices.filter(isKnown);
  if (known && !another) return { ...known, choices };
  if (!written.valid) return { ...written, choices };
  const { number, formatted } = written;
  const unknown = { valid: false, mobile: true, country: "", brands: [], earlier: [] };
  return { number, formatted, ...unknown, choices };
}

function takesTopups(phone: PosPhone): boolean {
  return phone.valid && (phone.mobile || phone.earlier.length > 0);
}

/** Kept under a name or sold to before; a sale that was not delivered may have been a mistake. */
function isKnown({ favourite, earlier }: PosPhone): boolean {
  return favourite !== undefined || earlier.some(({ outcome }) => outcome !== "NOT_DELIVERED");
}
