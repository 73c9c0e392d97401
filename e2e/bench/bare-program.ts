/**
 * What the start of a gateway is measured beside: a program of the same two libraries that opens the same
 * database, asks it one thing and serves that. Takes the database's file; prints its address.
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
