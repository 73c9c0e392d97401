import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const RUN_CHILD = join(import.meta.dirname, "run-child.ts");

function launch(script: string): ChildProcess {
  const launcher = `
    import { runInPlace } from ${JSON.stringify(`file://${RUN_CHILD}`)};
    process.exitCode = await runInPlace(process.execPath, ["-e", ${JSON.stringify(script)}], {
      cwd: process.cwd(), env: process.env,
    });`;
  return spawn(process.execPath, ["--input-type=module", "-e", launcher], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("the launcher returns the child's exit code", async () => {
  const [code] = await once(launch("process.exit(7)"), "exit");
  expect(code).toBe(7);
});

test("the launcher maps a signal that ended the child to the exit code that a shell uses", async () => {
  const [code] = await once(launch("process.kill(process.pid, 'SIGKILL')"), "exit");
  expect(code).toBe(137);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s reaches the launcher's child, which ends normally",
  async (signal) => {
    const launcher = launch(
      `process.on("${signal}", () => setImmediate(() => process.exit(5)));
     setInterval(() => {}, 1000); console.log("ready");`,
    );
    await once(launcher.stdout!, "data");
    launcher.kill(signal);
    const [code] = await once(launcher, "exit");

    expect(code).toBe(5);
  },
);
