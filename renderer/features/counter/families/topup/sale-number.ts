import { needsChoice, type TopupState } from "./topup-state.ts";

/** A receipt prints so many digits at least, with zeros in front. */
const FEWEST_PRINTED = 6;
const MOST_PRINTED = 12;

/** The number of a sale as its receipt prints it, where what was typed is no phone number. */
export function saleNumberOf({
  step,
  digits,
  query,
  phone,
}: Pick<TopupState, "step" | "digits" | "query" | "phone">): number | undefined {
  if (step !== "number") {
    return undefined;
  }
  const isNoPhone = phone !== undefined && !phone.valid && !needsChoice(phone);
  // The zeros of "001234" were read as a "+".
  const printed = query || (isNoPhone ? digits.replace("+", "00") : "");
  const isPrinted =
    /^\d+$/.test(printed) && printed.length >= FEWEST_PRINTED && printed.length <= MOST_PRINTED;
  return isPrinted && Number(printed) > 0 ? Number(printed) : undefined;
}
