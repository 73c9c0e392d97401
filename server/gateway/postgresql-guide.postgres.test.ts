import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeNextVersion, NEXT_VERSION } from "../testing/next-version.ts";
import { findFreePort, type OwnPostgres, startOwnPostgres } from "../testing/postgres-server.ts";
import { VERSION } from "../version.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const needed = ["psql", "curl"].filter((name) => spawnSync(name, ["--version"]).status !== 0);

/** A block of commands in the guide. `isMarked`: the guide marks it as not run by tests. */
interface Block {
  section: string;
  language: string;
  text: string;
  isMarked: boolean;
}

function readBlocks(guide: string): Block[] {
  const blocks: Block[] = [];
  for (const part of guide.split(/^##+ /m)) {
    const section = part.split("\n", 1)[0] ?? "";
    let end = 0;
    for (const fence of part.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)) {
      const [all, language = "", text = ""] = fence;
      const said = part.slice(end, fence.index).trimEnd().split("\n\n").at(-1) ?? "";
      blocks.push({ section, language, text, isMarked: /\*\*not run by any test/i.test(said) });
      end = fence.index + all.length;
    }
  }
  return blocks;
}

/** The chapter about PostgreSQL. Only its commands need a database server. */
const [, GUIDE = ""] = readFileSync(join(ROOT, "docs/operate.md"), "utf8").split(
  "\n## PostgreSQL\n",
);
const BLOCKS = readBlocks(GUIDE);
const typed = new Set<Block>();

let server: OwnPostgres;
let root: string;
let ports: number[];
beforeEach(async () => {
  server = await startOwnPostgres();
  root = mkdtempSync(join(tmpdir(), "tillgate-guide-"));
  ports = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
});
afterEach(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

function blocksOf(title: string): Block[] {
  const blocks = BLOCKS.filter(({ section, isMarked }) => section === title && !isMarked);
  if (blocks.length === 0) throw new Error(`the guide has no commands under "${title}"`);
  return blocks;
}

function commandsOf(block: Block): string {
  typed.add(block);
  const { host, password } = new URL(server.address);
  const text = block.text
    .replaceAll("HOST:5432", host)
    .replaceAll("PASSWORD", password)
    .replaceAll(/878[789]/g, (port) => String(ports[Number(port) - 8787]))
    .replaceAll("../tillgate-new", join(root, "tillgate-new"))
    .replaceAll('"$PWD/', `"${root}/`)
    .replaceAll(" ./", ` ${root}/`);
  return block.language === "sql"
    ? `psql -v ON_ERROR_STOP=1 ${server.address} <<'END'\n${text}END`
    : text;
}

function type(commands: readonly (Block | string)[]) {
  // Each job has its own process group, so that npm's child processes end with it.
  const end = "set -m; trap 'for job in $(jobs -p); do kill -- -$job; done; wait' EXIT\n";
  const text = commands.map((each) => (typeof each === "string" ? each : commandsOf(each)));
  const result = spawnSync("bash", ["-euo", "pipefail", "-c", end + text.join("\n")], {
    cwd: ROOT,
    encoding: "utf8",
    env: {
      ...process.env,
      PGPASSWORD: new URL(server.address).password,
      TILLGATE_PORT: String(ports[0]),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    },
  });
  const { status, signal } = result;
  expect({ status, signal }, result.stdout + result.stderr).toEqual({ status: 0, signal: null });
  return result;
}

function untilReady(block: Block): string {
  return `{ ${commandsOf(block).trim()}
    } &
    curl -fsS --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:${ports[0]}/readyz
    kill -INT -- -$!
    wait $! || true`;
}

function installNextVersion(dir: string): void {
  makeNextVersion(dir);
  for (const name of ["electron", "out"]) symlinkSync(join(ROOT, name), join(dir, name));
}

describe.skipIf(needed.length > 0)("commands of docs/operate.md (need psql and curl)", () => {
  it("start one process and audit its shop", () => {
    const [makeDatabase, serve, audit, ...others] = blocksOf("One process");
    expect(others).toEqual([]);
    const { stdout } = type([makeDatabase!, untilReady(serve!), audit!]);
    expect(stdout).toContain('"status":"ready"');
    expect(stdout).toContain("The books are in order.");
  });

  it("start three processes and update them one after the other", () => {
    installNextVersion(join(root, "tillgate-new"));
    const { stdout } = type([
      ...blocksOf("Three processes"),
      ...blocksOf("Update without a pause"),
    ]);
    expect(stdout).toContain('"status":"ACCEPTED","transactionId":"first"');
    // The first process accepted the purchase, and the third listed it.
    expect(stdout.match(/"transactionId":"first"/g)?.length).toBeGreaterThan(1);
    expect(stdout).toContain("The books are in order.");
    const versions = [...stdout.matchAll(/"version":"([^"]+)"/g)].map(([, version]) => version);
    expect(versions.slice(-3)).toEqual([VERSION, VERSION, NEXT_VERSION]);
    expect(stdout).toContain(`This is Tillgate ${NEXT_VERSION}.`);
  });

  it("create a new key file after the old file was lost", () => {
    const [makeDatabase, setUp] = blocksOf("Three processes");
    const [, serve] = blocksOf("One process");
    const refused = `! npm run -s serve -- --data ${root}/data`;
    const { stderr } = type([
      makeDatabase!,
      setUp!,
      refused,
      ...blocksOf("A lost key file"),
      untilReady(serve!),
    ]);
    expect(stderr).toContain(`${root}/data/secrets.key is not there. Nothing was changed.`);
  });

  it("report a restored database before a start", () => {
    const [makeDatabase, setUp] = blocksOf("Three processes");
    const { stdout } = type([makeDatabase!, setUp!, ...blocksOf("A restored database")]);
    expect(stdout).toContain("Unfinished purchases: 0.");
  });

  it("make a gateway serve the names of a load balancer and refuse other names", () => {
    const [makeDatabase, setUp] = blocksOf("Three processes");
    const byOtherName = `curl -sS -H "Host: other.example.com" http://127.0.0.1:${ports[0]}/readyz`;
    const { stdout } = type([makeDatabase!, setUp!, ...blocksOf("Load balancer"), byOtherName]);
    expect(stdout).toContain('"status":"ready"');
    expect(stdout).toContain("FORBIDDEN");
  });

  it("move a shop from a file to a server and back", () => {
    const [makeDatabase, setUp] = blocksOf("Three processes");
    const inFile = commandsOf(setUp!)
      .replace(/^.*TILLGATE_DATABASE=.*$/m, "")
      .replace("/data-1", "/data");
    const { stdout } = type([makeDatabase!, inFile, ...blocksOf("Move a shop")]);
    // Each `import` and `audit` prints this line.
    expect(stdout.match(/The books are in order\./g)).toHaveLength(4);
    expect(stdout).toMatch(/ rows/);
    const [there, back] = ["shop", "back"].map((name) => readFileSync(`${root}/${name}.ndjson`));
    expect(back).toEqual(there);
  });

  it("have all been run, except the commands that the guide marks", () => {
    const left = BLOCKS.filter((block) => !block.isMarked && !typed.has(block));
    expect(left).toEqual([]);
    expect(BLOCKS).toHaveLength(GUIDE.match(/^ *```/gm)!.length / 2);
  });
});
