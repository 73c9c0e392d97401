import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("gateway-on-a-clock.ts", import.meta.url));

export interface AttackedGateway {
  readonly url: string;
  readonly dataDir: string;
  /** All paths of the gateway's routes, with parameters as `:name`. */
  readonly paths: string[];
  advance(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function startAttackedGateway(): Promise<AttackedGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-attacked-"));
  const child = fork(PROGRAM, [dataDir]);
  const { url, routes } = (await answerOf(child)) as { url: string; routes: string[] };
  return {
    url,
    dataDir,
    paths: readPaths(routes),
    async advance(milliseconds) {
      child.send(milliseconds);
      await answerOf(child);
    },
    async close() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, "message");
  return message;
}

/** Parses Fastify's printed route tree. Indentation shows the parent of a line. */
function readPaths(lines: readonly string[]): string[] {
  const above: string[] = [];
  return lines.flatMap((line) => {
    const found = /^(?<indent>[\s│]*)[├└]── (?<part>\S+) \((?<methods>.*)\)$/u.exec(line);
    if (!found?.groups) return [];
    const { indent = "", part = "", methods = "" } = found.groups;
    const depth = indent.length / 4;
    const base = above[depth - 1] ?? "";
    const path = `${base === "/" ? "" : base}${part.startsWith("/") ? "" : "/"}${part}`;
    above.splice(depth, above.length, path);
    return methods.split(", ").includes("GET") ? [path] : [];
  });
}
