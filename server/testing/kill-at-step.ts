/**
 * `startAndKillAtStep` preloads this file into a server process. It counts SQL statements and file
 * changes as steps, and kills the process at step `KILL_AT_STEP`, or writes the number of steps to
 * `STEPS_FILE` at the exit. With `COUNT_AFTER_SIGNAL`, it counts the steps after SIGUSR2; with
 * `COUNT_SOCKETS`, also each write to a socket.
 */
import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

const { KILL_AT_STEP, STEPS_FILE, COUNT_AFTER_SIGNAL, COUNT_SOCKETS } = process.env;
const writeSteps = fs.writeFileSync;
let steps = COUNT_AFTER_SIGNAL === undefined ? 0 : -Infinity;

function countCallsOf(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const original = Reflect.get(owner, name);
    Reflect.set(owner, name, function (this: unknown, ...values: unknown[]) {
      steps += 1;
      if (steps === Number(KILL_AT_STEP)) process.kill(process.pid, "SIGKILL");
      return original.apply(this, values);
    });
  }
}

if (isMainThread) {
  process.on("SIGUSR2", () => {
    steps = 0;
  });
  const SQLite = createRequire(import.meta.url)("better-sqlite3");
  const statement = new SQLite(":memory:").prepare("select 1");
  countCallsOf(Object.getPrototypeOf(statement), ["run", "all", "get"]);
  countCallsOf(SQLite.prototype, ["exec", "pragma"]);
  const sync = ["renameSync", "rmSync", "copyFileSync", "writeFileSync", "mkdirSync", "fsyncSync"];
  countCallsOf(fs, sync);
  countCallsOf(fs.promises, ["rename", "rm", "copyFile", "writeFile", "mkdir", "unlink"]);
  if (COUNT_SOCKETS !== undefined) countCallsOf(Socket.prototype, ["write"]);
  syncBuiltinESMExports();
  process.on("exit", () => {
    if (STEPS_FILE !== undefined) writeSteps(STEPS_FILE, String(steps));
  });
}
