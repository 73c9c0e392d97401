import { latePart } from "../lib/late.tsx";

/** The PIN field of dialogs at the counter, loaded late: no first screen has it. */
export const LatePinField = latePart(async () => (await import("./pin-field.tsx")).PinField);
