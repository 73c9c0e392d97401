import { expect, it } from "vitest";
import { Background, type Errand, type Outcome } from "./background.ts";

const INPUT = { files: [], bytes: 1, names: [] };

function startBackground(outcome: Outcome) {
  const errands: Errand[] = [];
  const background = new Background((errand) => {
    errands.push(errand);
    return { outcome: Promise.resolve(outcome), gone: Promise.resolve() };
  });
  return { background, errands };
}

it("a task whose end was requested before its start receives the request", async () => {
  const { background, errands } = startBackground({ result: "" });
  await background.run("redactLog", INPUT, { signal: AbortSignal.abort() });
  await background.run("redactLog", INPUT);
  expect(errands.map(({ stopped }) => stopped[0])).toEqual([1, 0]);
});

it("a failed task rejects with the code and the system call of its error", async () => {
  const error = { message: "the disk is full", code: "ENOSPC", syscall: "write" };
  const { background } = startBackground({ error });
  await expect(background.run("redactLog", INPUT)).rejects.toMatchObject(error);
});
