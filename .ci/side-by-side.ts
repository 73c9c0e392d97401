/**
 * Runs scripts of package.json in parallel, one per core. Prints a script's output when the script
 * ends. All scripts run to their end, so that one run reports every failure.
 *
 *     node .ci/side-by-side.ts typecheck format lint
 *
 * Name the slowest scripts first.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

const names = process.argv.slice(2);
const waiting = names.values();
const failed: string[] = [];

function run(name: string): Promise<void> {
  const began = performance.now();
  const child = spawn("npm", ["run", "--silent", name], {
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => output.push(part));
  }
  return new Promise((resolve) => {
    child.once("error", (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.once("close", (code) => {
      if (code !== 0) failed.push(name);
      console.log(`== ${name} took ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      process.stdout.write(Buffer.concat(output));
      resolve();
    });
  });
}

async function runNext(): Promise<void> {
  for (const name of waiting) await run(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext));
if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
