import { latePart } from "../lib/late.tsx";

/** The PIN field of dialogs at the counter. Loaded late, because no first screen has the field. */
export const LatePinField = latePart(async () => (await import("./pin-field.tsx")).PinField);
