import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NOT_ON_POSTGRES, NOT_ON_POSTGRES_EACH_DAY } from "../../.ci/not-on-postgres.ts";

const ROOT = join(import.meta.dirname, "../..");

it("every test that is said not to run on PostgreSQL is there, in the folders whose tests do, and said once", () => {
  const lists = [...NOT_ON_POSTGRES, ...NOT_ON_POSTGRES_EACH_DAY];
  const files = lists.flatMap((part) => part.files);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const folders = /^server\/(?:modules|http|admin)\/.+(?<!\.long)(?<!\.postgres)\.test\.ts$/;
  expect(files.filter((file) => !folders.test(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});
