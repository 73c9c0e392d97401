import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("README.md lists every module once, under its group, and nothing else", () => {
  const modules = globSync("*/*/", { cwd: import.meta.dirname }).map((path) =>
    path.replaceAll("\\", "/").replace(/\/$/, ""),
  );
  const readme = readFileSync(`${import.meta.dirname}/README.md`, "utf8");
  const groups = readme.split("\n## ").filter((section) => section.includes("| module |"));
  const listed = groups.flatMap((section) => {
    const [group = ""] = section.split("\n");
    return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => `${group}/${name}`);
  });
  expect(listed.toSorted()).toEqual(modules.toSorted());
});
