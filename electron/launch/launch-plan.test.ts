import { expect, test } from "vitest";
import { type LaunchFacts, planLaunch } from "./launch-plan.ts";

const facts: LaunchFacts = {
  hasDisplay: true,
  runsAsRoot: false,
  runtimeInstalled: true,
  fetch: "not tried",
  windowCrashed: false,
};

test("with a display and the runtime, the till has its own window", () => {
  expect(planLaunch(facts)).toEqual({ run: "desktop" });
});

test("a missing runtime is fetched once, and then used or done without", () => {
  const missing = { ...facts, runtimeInstalled: false };

  expect(planLaunch(missing)).toEqual({ run: "fetch" });
  expect(planLaunch({ ...facts, fetch: "fetched" })).toEqual({ run: "desktop" });
  for (const fetch of ["silent", "failed", "fetched"] as const) {
    expect(planLaunch({ ...missing, fetch })).toMatchObject({ run: "browser" });
  }
});

test("nothing is fetched for a window that cannot be opened", () => {
  const missing = { ...facts, runtimeInstalled: false };

  for (const obstacle of [{ hasDisplay: false }, { runsAsRoot: true }]) {
    expect(planLaunch({ ...missing, ...obstacle })).toMatchObject({ run: "browser" });
    expect(planLaunch({ ...facts, ...obstacle })).toMatchObject({ run: "browser" });
  }
});

test("a window that fell over at once is not opened again", () => {
  expect(planLaunch({ ...facts, windowCrashed: true })).toEqual({
    run: "browser",
    why: "The desktop window could not be opened",
  });
});
