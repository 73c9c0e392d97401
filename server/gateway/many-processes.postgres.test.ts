import { afterEach, beforeEach, expect, it } from "vitest";
import { expectAllThere } from "../testing/expect-all-there.ts";
import { sellBy } from "../testing/load-of-clients.ts";
import { ManyProcesses } from "../testing/many-processes.ts";
import { type OwnPostgres, startOwnPostgres } from "../testing/postgres-server.ts";

/**
 * Three processes sell on one PostgreSQL, while a process or the server is ended repeatedly. More
 * rounds: `PROCESS_KILLS=200 PROCESS_RESTARTS=20 POSTGRES_KILLS=50`.
 */
const KILLS = Number(process.env.PROCESS_KILLS ?? 2);
const RESTARTS = Number(process.env.PROCESS_RESTARTS ?? 1);
const SERVER_KILLS = Number(process.env.POSTGRES_KILLS ?? 1);
const CLIENTS = 6;
const MOST_ANSWERS = 12;

let postgres: OwnPostgres;
let shop: ManyProcesses;
beforeEach(async () => {
  postgres = await startOwnPostgres();
  shop = await ManyProcesses.open(postgres.address);
});
afterEach(async () => {
  await shop.close();
  await postgres.stop();
});

it(`${KILLS} kills of one of three processes: no confirmed purchase is missing, and none is sent twice`, async () => {
  shop.follow();
  const load = sellBy(shop, CLIENTS);
  for (let kill = 0; kill < KILLS; kill++) {
    await load.more(shop.random.integer(1, MOST_ANSWERS));
    const n = shop.random.integer(0, 2);
    await shop.end(n, "SIGKILL");
    await load.more(shop.random.integer(0, 2));
    // After the last kill, the other processes finish the work.
    if (kill < KILLS - 1) await shop.start(n);
  }
  await load.more(MOST_ANSWERS);
  await expectAllThere(shop, load);
});

it(`${RESTARTS} times, each process ends normally and starts again while the others sell`, async () => {
  shop.follow();
  const load = sellBy(shop, CLIENTS);
  for (let restart = 0; restart < RESTARTS; restart++) {
    for (const n of shop.processes.keys()) {
      await load.more(shop.random.integer(1, MOST_ANSWERS));
      expect(await shop.end(n, "SIGTERM")).toBe(0);
      await load.more(1);
      await shop.start(n);
    }
  }
  await load.more(MOST_ANSWERS);
  await expectAllThere(shop, load);
});

it(`${SERVER_KILLS} kills of PostgreSQL: every confirmed purchase exists after the restart`, async () => {
  shop.follow();
  const load = sellBy(shop, CLIENTS);
  for (let kill = 0; kill < SERVER_KILLS; kill++) {
    await load.more(shop.random.integer(1, MOST_ANSWERS));
    await postgres.killAndStart();
  }
  await load.more(MOST_ANSWERS);
  await expectAllThere(shop, load, true);
});
