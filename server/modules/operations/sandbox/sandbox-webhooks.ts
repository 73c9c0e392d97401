import { FAMILIES } from "../../../contract/pos/families.ts";
import type { Webhook, WebhookKind } from "../../../contract/pos/webhooks.ts";
import type { WebhookService } from "../../messages/webhooks/index.ts";
import type { Sandbox } from "./sandbox.ts";

/** Default kinds: the results of every family. */
const RESULT_KINDS: WebhookKind[] = [...FAMILIES];

interface WebhookTarget {
  url: string;
  kinds: WebhookKind[];
}

interface SandboxWebhooksDeps {
  accountId: string;
  webhooks: WebhookService;
  sandbox: Sandbox;
}

/** Registers a single URL for several kinds of webhooks, signed with the sandbox's secret. */
export class SandboxWebhooks {
  readonly #deps: SandboxWebhooksDeps;

  constructor(deps: SandboxWebhooksDeps) {
    this.#deps = deps;
  }

  /**
   * Removes the URL from all other kinds. A kind that was already registered keeps its pending
   * messages.
   * @throws Problem INVALID_REQUEST naming the field
   */
  async set(url: string, kinds = RESULT_KINDS): Promise<WebhookTarget> {
    const { accountId, webhooks, sandbox } = this.#deps;
    const author = { accountId, staffId: undefined };
    const registered = await this.#list();
    for (const kind of kinds) {
      const before = registered.find((webhook) => webhook.kind === kind);
      if (before && URL.parse(url)?.href === before.url) continue;
      const target = { url, allowPrivate: sandbox.allowsPrivateTargets };
      if (before) await webhooks.change(author, before.webhookId, target);
      else {
        const input = { ...target, environment: "test", kind } as const;
        await webhooks.add(author, input, sandbox.access?.webhookSecret);
      }
    }
    for (const { kind, webhookId } of registered) {
      if (!kinds.includes(kind)) await webhooks.remove(author, webhookId);
    }
    return { url, kinds };
  }

  async remove(): Promise<void> {
    const { accountId, webhooks } = this.#deps;
    const author = { accountId, staffId: undefined };
    for (const { webhookId } of await this.#list()) await webhooks.remove(author, webhookId);
  }

  async #list(): Promise<Webhook[]> {
    const { accountId, webhooks } = this.#deps;
    const registered = await webhooks.list(accountId);
    return registered.filter(({ environment }) => environment === "test");
  }
}
