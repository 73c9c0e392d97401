/** Marks the step's own field, which edits digits itself. */
export const OWN_FIELD = { "data-counter-field": true } as const;
