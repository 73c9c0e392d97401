import { open } from "node:fs/promises";
import { CLAIMS } from "../../../db/account-lock.ts";
import type { Db } from "../../../db/database.ts";
import { readPart } from "../../../db/moving/file-rows.ts";
import type { Transactor } from "../../../db/transactor.ts";

/**
 * Files in rows, for processes that have no disk together. The process that writes a file writes all of it before
 * anything names it, and no two write one at once: their job is leased.
 */
export class ReportParts {
  readonly #db: Db;
  readonly #transactor: Transactor;

  constructor({ db, transactor }: { db: Db; transactor: Transactor }) {
    this.#db = db;
    this.#transactor = transactor;
  }

  /** Keeps a file of this machine. Replaces what has the name. */
  async keep(name: string, path: string): Promise<void> {
    await this.remove([name]);
    const file = await open(path);
    try {
      for (let part = 0; ; part++) {
        const content = await readPart(file);
        // A file with nothing in it has a part, too.
        if (content.length === 0 && part > 0) return;
        await this.#transactor.transact(CLAIMS, (tx) =>
          tx.insertInto("report_parts").values({ file_name: name, part, content }).execute(),
        );
      }
    } finally {
      await file.close();
    }
  }

  /** The bytes of a file; undefined where there is none. */
  async read(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const first = await this.#readPart(name, 0);
    return first && this.#readAll(name, first);
  }

  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#transactor.transact(CLAIMS, (tx) =>
      tx.deleteFrom("report_parts").where("file_name", "in", names).execute(),
    );
  }

  async *#readAll(name: string, first: Uint8Array): AsyncGenerator<Uint8Array> {
    let content: Uint8Array | undefined = first;
    for (let part = 1; content; part++) {
      yield content;
      content = await this.#readPart(name, part);
    }
  }

  async #readPart(name: string, part: number): Promise<Uint8Array | undefined> {
    const row = await this.#db
      .selectFrom("report_parts")
      .select("content")
      .where("file_name", "=", name)
      .where("part", "=", part)
      .executeTakeFirst();
    return row?.content;
  }
}
