import { latePart } from "../lib/late.tsx";

/** The field of a PIN where a dialog at the counter asks for one: no first screen shows it. */
export const LatePinField = latePart(async () => (await import("./pin-field.tsx")).PinField);
