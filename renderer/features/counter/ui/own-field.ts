/** Marks a step's own field, which handles digit keys itself. */
export const OWN_FIELD = { "data-counter-field": true } as const;
