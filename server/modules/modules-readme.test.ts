import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("README.md lists every module once, and nothing else", () => {
  const modules = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const readme = readFileSync(`${import.meta.dirname}/README.md`, "utf8");
  const listed = readme
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)])
    .map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(modules));
  expect(listed).toHaveLength(modules.length);
});
