import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { ADDED_TO, ADDED_TO_RENDERER, DAY_WORDS_READER } from "../../testing/family-files.ts";

it("the contribution guide names only existing files", () => {
  const files = [
    ...[...ADDED_TO, DAY_WORDS_READER].map((file) => `server/${file}`),
    ...ADDED_TO_RENDERER.map((file) => `renderer/${file}`),
  ];
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
