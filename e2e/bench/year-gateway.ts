/**
 * A gateway over the year of trade, in a separate process. Its clock starts on the last afternoon
 * of that year. Takes the data directory and the instant; sends its address.
 */
import { createGateway } from "../../server/index.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { configOf } from "./first-sales.ts";

const [dataDir = "", startsAt = ""] = process.argv.slice(2);
const ahead_ms = Number(startsAt) - Date.now();
const gateway = await createGateway(configOf(dataDir), {
  automaticBackups: false,
  auditAtStart: false,
  pinCost: 4,
  rateLimit: { burst: 1e9, perSecond: 1e9 },
  clock: {
    now: () => systemClock.now() + ahead_ms,
    running: systemClock.running,
    wakeAt: (at, callback) => systemClock.wakeAt(at - ahead_ms, callback),
  },
});
const { url } = await gateway.listen();
await gateway.whenChecked();
process.on("disconnect", () => {
  void gateway.close().then(() => process.exit());
});
process.send?.({ url });
