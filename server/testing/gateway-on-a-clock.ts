import { buildApp } from "../gateway/app.ts";
import { LaterApp } from "../http/later-app.ts";
import { ServerSet } from "../http/server-set.ts";
import { createGateway } from "../index.ts";
import { FakeClock } from "./fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "./first-day.ts";

/**
 * Runs a gateway in a separate process on a clock that the parent process controls. The argument is
 * the data directory.
 */
const [dataDir = ""] = process.argv.slice(2);
const clock = new FakeClock();
const overrides = { ...TEST_OVERRIDES, clock };
const gateway = await createGateway(testConfig(dataDir), overrides);
const { url } = await gateway.listen();
process.send?.({ url, routes: await listRoutes() });

/**
 * Reads the routes from a second application, which stays open, because closing it would end the
 * gateway's own streams.
 */
async function listRoutes(): Promise<string[]> {
  const till = new LaterApp();
  const app = await buildApp(gateway.context, new ServerSet(), till);
  await app.ready();
  return [app, await till.make()].flatMap((one) =>
    one.printRoutes({ commonPrefix: false }).split("\n"),
  );
}

process.on("message", (milliseconds: number) => {
  const target = clock.now() + milliseconds;
  void pass(target).then(() => process.send?.({ now: clock.now() }));
});
process.on("disconnect", () => process.exit());

async function pass(target: number): Promise<void> {
  await settle();
  for (let at = clock.nextTimer(); at !== undefined && at <= target; at = clock.nextTimer()) {
    clock.set(Math.max(at, clock.now()));
    await settle();
  }
  clock.set(target);
  await settle();
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 32; turn++) {
    await gateway.context.jobs.idle();
    await new Promise(setImmediate);
  }
}
