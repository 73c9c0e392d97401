import type { CatalogImport, CatalogImportInput } from "../../contract/pos/catalog-imports.ts";
import { Problem } from "../../contract/problem.ts";

/** How far a file came that is not waiting in the database, and its bytes until it is checked. */
export class ReceivedFile {
  readonly importId: string;
  readonly name: string;
  readonly bytes: number;
  /** Set when nobody wants it any more. */
  readonly ended = new AbortController();
  state: CatalogImport["state"] = "RECEIVING";
  outcome: Pick<CatalogImport, "faults" | "faultCount" | "written" | "failure"> = {};
  #content: Buffer;
  #received = 0;

  constructor({ importId, name, bytes }: CatalogImportInput) {
    this.importId = importId;
    this.name = name;
    this.bytes = bytes;
    this.#content = Buffer.alloc(bytes);
  }

  /**
   * Takes the bytes from `offset` on. Those that came before are not taken again: a request that was
   * answered once may be sent again.
   * @throws Problem INVALID_REQUEST where bytes between are missing, or there are too many
   */
  add(offset: number, content: Buffer): void {
    if (offset > this.#received || offset + content.length > this.bytes) {
      throw new Problem("INVALID_REQUEST", `The next byte is ${this.#received} of ${this.bytes}.`, {
        offset: String(this.#received),
      });
    }
    content.copy(this.#content, offset);
    this.#received = Math.max(this.#received, offset + content.length);
  }

  get isWhole(): boolean {
    return this.#received === this.bytes;
  }

  /** The file, once: it is kept no longer. */
  take(): Uint8Array {
    const content = this.#content;
    this.#content = Buffer.alloc(0);
    return content;
  }

  view(): CatalogImport {
    const { importId, name, state, bytes, outcome } = this;
    const receivedBytes = state === "RECEIVING" ? this.#received : bytes;
    return { importId, name, state, receivedBytes, bytes, ...outcome };
  }
}
