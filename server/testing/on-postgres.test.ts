import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NOT_ON_POSTGRES } from "../../.ci/not-on-postgres.ts";
import { ON_POSTGRES } from "./on-postgres.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["modules", "http", "admin"].map((name) => `server/${name}/**/*.test.ts`);

it("every test of the modules, the edge and the command line runs on PostgreSQL, or is listed with why not", () => {
  const cwd = ROOT;
  const all = globSync(FOLDERS, { cwd })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/\.(?:long|postgres)\.test\.ts$/.test(file));
  const run = globSync(ON_POSTGRES, { cwd }).map((file) => file.replaceAll("\\", "/"));
  const left = NOT_ON_POSTGRES.flatMap(({ files }) => files);
  expect(all.length).toBeGreaterThan(150);
  expect([...run, ...left].toSorted()).toEqual(all.toSorted());
});
