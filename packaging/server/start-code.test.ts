import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleServer } from "./server-package.ts";

/** Libraries that a start does not load. They are loaded when needed. */
const LATER =
  "undici nodemailer qrcode pngjs yaml pdfkit fontkit glob @fastify/swagger @fastify/swagger-ui @fastify/static @fastify/cookie @fastify/sse mime marked".split(
    " ",
  );
/**
 * Maximum number of bytes of code that a start loads, including the code of the tills' operations.
 */
const MOST_BYTES = 4_730_000;
/** Maximum number of bundles that a start loads. Each bundle slows the start. */
const MOST_BUNDLES = 12;

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-start-code-"));
  await bundleServer(join(import.meta.dirname, "../.."), dir);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function readWith(file: string, read = new Map<string, string>()): Map<string, string> {
  if (read.has(file)) return read;
  const code = readFileSync(join(dir, file), "utf8");
  read.set(file, code);
  for (const [, next = ""] of code.matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]+)"/gm)) {
    readWith(next, read);
  }
  return read;
}

it("a gateway's start reads only the code that it needs to listen", () => {
  const main = readFileSync(join(dir, "main.js"), "utf8");
  const [, gateway = ""] = /import\("\.\/([^"]+)"\)/.exec(main) ?? [];
  const bundles = readWith(gateway, readWith("main.js"));
  expect(bundles.size).toBeLessThanOrEqual(MOST_BUNDLES);
  const code = Array.from(bundles.values()).join("");
  expect(code).toContain("function buildApp(");
  // The till's application is created later.
  expect(code).toContain("async function registerV1(");
  expect(code).not.toContain("async function registerPos(");
  const libraries = [...code.matchAll(/^\s*\/\/ \S*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)];
  const names = new Set(libraries.map(([, name]) => name));
  expect(names).toContain("fastify");
  expect(LATER.filter((name) => names.has(name))).toEqual([]);
  expect(code).not.toMatch(/from "@fastify\/swagger-ui"/);
  expect(code.length).toBeLessThan(MOST_BYTES);
  // If code contains other characters, Node stores it in two bytes per character, which doubles its
  // memory.
  expect(code.match(/[\u{100}-\u{10ffff}]/gu) ?? []).toEqual([]);
});

it("the till's routes are in one bundle", () => {
  const files = readdirSync(dir).filter((name) => name.endsWith(".js"));
  const withRoutes = files.filter((name) =>
    /function register(?:Sale|Shift|Staff|Settings|Printer)Routes\(/.test(
      readFileSync(join(dir, name), "utf8"),
    ),
  );
  expect(withRoutes).toHaveLength(1);
});
