/**
 * Baseline of a gateway's start: opens the same database with the same libraries, and serves the
 * result of one query. Takes the database file; prints the address.
 */
import Database from "better-sqlite3";
import Fastify from "fastify";

const [file = ""] = process.argv.slice(2);
const database = new Database(file);
database.pragma("journal_mode = wal");
const count = database.prepare("select count(*) as accounts from accounts");
const app = Fastify();
app.get("/readyz", () => count.get());
const url = await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`listening on ${url}`);
process.on("SIGTERM", () => {
  void app.close().then(() => process.exit());
});
