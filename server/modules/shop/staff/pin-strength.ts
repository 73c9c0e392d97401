import { SHORTEST_OWNER_PIN, whyWeak } from "../../../contract/pos/pins.ts";
import type { Role } from "../../../contract/pos/rights.ts";
import { Problem } from "../../../contract/problem.ts";

/** Why a person of that role may not choose a PIN: PIN_WEAK naming the field; undefined where they may. */
export function findWeakness(pin: string, role: Role, field = "pin"): Problem | undefined {
  const weakness = whyWeak(pin, role);
  if (!weakness) return undefined;
  const rule =
    weakness === "SHORT"
      ? `must be ${SHORTEST_OWNER_PIN} to 8 digits for an owner`
      : "is too easy to guess: no repeated digits, no row such as 1234, no year";
  return new Problem("PIN_WEAK", `The PIN ${rule}.`, { [field]: rule });
}

/** The refusal of a PIN that the person has already. */
export function samePin(field = "pin"): Problem {
  const rule = "must be another than before";
  return new Problem("PIN_WEAK", "This is the PIN of before.", { [field]: rule });
}
