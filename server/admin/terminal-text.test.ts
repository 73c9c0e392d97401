import { expect, it } from "vitest";
import { typeCommand } from "../testing/run-program.ts";
import { startTestGateway } from "../testing/test-gateway.ts";

it("tillgate escapes control characters in a provider's text", async () => {
  const till = await startTestGateway();
  try {
    const { transactor } = till.gateway.context;
    const said = "nothing listens\u001b[2J\u009b31m\u0007";
    await transactor.transact("default", (tx) =>
      tx
        .insertInto("webhook_endpoints")
        .values({
          account_id: "default",
          environment: "test",
          endpoint_id: "e1",
          kinds: "TOPUP",
          url: "http://127.0.0.1:9/",
          header_name: null,
          header_value_sealed: null,
          secret_sealed: "s",
          allow_private: 1,
          created_at: 1,
          failing_since: 1,
          last_failed_at: 1,
          last_failure: said,
          paused_at: null,
          removed_at: null,
        })
        .execute(),
    );
    for (const args of [
      ["webhooks", "list"],
      ["webhooks", "list", "--json"],
    ]) {
      const { stdout } = await typeCommand(till, args);
      expect(stdout).toContain("nothing listens\\u001b[2J");
      expect(stdout).not.toMatch(/(?![\t\n])\p{Cc}/u);
    }
  } finally {
    await till.close();
  }
});
