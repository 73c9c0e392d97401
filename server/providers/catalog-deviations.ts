/** Maximum number of different deviations of a catalog. */
const MAX_DEVIATIONS = 1000;

/** Receives a deviation such as `topups: notes is missing`, and an example item. */
export type NoteDeviation = (what: string, example?: string) => void;

/** Counts the deviations of a catalog. */
export class CatalogDeviations {
  readonly #found = new Map<string, { what: string; count: number; example: string }>();

  constructor(noted: readonly string[]) {
    for (const what of noted) this.note(what);
  }

  readonly note: NoteDeviation = (what, example = "") => {
    const found = this.#found.get(what) ?? { what, count: 0, example: example.slice(0, 128) };
    found.count++;
    if (this.#found.size < MAX_DEVIATIONS) this.#found.set(what, found);
  };

  list() {
    return [...this.#found.values()];
  }
}
