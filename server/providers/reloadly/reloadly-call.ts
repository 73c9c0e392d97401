import { createHash } from "node:crypto";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import { FieldReader } from "../field-reader.ts";
import {
  askProvider,
  type ProviderConnection,
  ProviderRefusal,
  type ProviderRequest,
  type ProviderResponse,
  ProviderUnclear,
} from "../provider-call.ts";
import { type LimitContext, ProviderLimits } from "../provider-limit.ts";
import { type ReloadlyRefusal, readReloadlyRefusal } from "./reloadly-refusal.ts";

const COMPANY_HOST = /^https:\/\/(?:topups|giftcards)(-sandbox)?\.reloadly\.com$/;
const COMPANY_AUTH_URL = "https://auth.reloadly.com";
const TOKEN_TIMEOUT_MS = 20 * SECOND;
/** A token is replaced this long before it expires. */
const TOKEN_RESERVE_MS = MINUTE;
const DEFAULT_PAUSE_MS = SECOND;
/** Reloadly documents no limit. */
const RATE = { perSecond: 10, burst: 50 };

/** Codes of our contract by status. */
const OUR_CODES: Readonly<Record<number, string>> = {
  401: "NOT_AUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  429: "RATE_LIMITED",
};

interface Token {
  text: string;
  expiresAt: number;
}

/** Tokens of one connection. At most one request for a token is open. */
interface TokenState {
  current: Token | undefined;
  asked: Promise<Token> | undefined;
  /** End of a pause that the token service has requested. */
  pausedUntil: number;
}

export type Answered = ProviderResponse & { refusal: ReloadlyRefusal | undefined };

/** One of Reloadly's APIs. Each has its own address, which is also the audience of its tokens. */
export interface ReloadlyApi extends ProviderConnection {
  accept: string;
}

export function toTopupApi(connection: ProviderConnection): ReloadlyApi {
  return { ...connection, accept: "application/com.reloadly.topups-v1+json" };
}

/** Another host than Reloadly's, such as a proxy, has the gift cards below `/giftcards`. */
export function toGiftCardApi(connection: ProviderConnection): ReloadlyApi {
  const company = COMPANY_HOST.exec(connection.baseUrl);
  const baseUrl = company
    ? `https://giftcards${company[1] ?? ""}.reloadly.com`
    : `${connection.baseUrl}/giftcards`;
  return { ...connection, baseUrl, accept: "application/com.reloadly.giftcards-v1+json" };
}

/** The token service gave no readable answer, so the request itself was not sent. */
export class TokenMissing extends ProviderUnclear {}

/**
 * Sends requests with an OAuth token (client credentials). All requests of a connection share one
 * token.
 */
export class ReloadlyCalls {
  readonly #clock: Clock;
  readonly #limits: ProviderLimits;
  readonly #tokenLimits: ProviderLimits;
  readonly #states = new Map<string, TokenState>();

  constructor(context: LimitContext) {
    this.#clock = context.clock;
    this.#limits = new ProviderLimits(context, RATE);
    this.#tokenLimits = new ProviderLimits(context);
  }

  /**
   * A refused token is replaced once: the refused request was not processed. An order that is
   * answered by a page with status 401, as from a proxy, may have been processed.
   * @throws ProviderRefusal if the credentials are refused, ProviderUnreached, TokenMissing,
   * ProviderUnclear
   */
  async ask(api: ReloadlyApi, request: ProviderRequest): Promise<Answered> {
    const state = this.#stateOf(api);
    const token = await this.findToken(api);
    const answered = await this.#send(api, token, request);
    if (!answered.refusal?.isOfToken) return answered;
    if (state.current?.text === token) state.current = undefined;
    if (request.method === "POST" && answered.refusal.errorCode === "") return answered;
    return this.#send(api, await this.findToken(api), request);
  }

  /** Reads again while the provider is busy. */
  readPatiently(api: ReloadlyApi, request: ProviderRequest): Promise<FieldReader> {
    return this.#limits.readPatiently(() => this.read(api, request));
  }

  /**
   * Returns the body of a successful response.
   * @throws ProviderRefusal for a readable refusal, ProviderUnclear for anything else
   */
  async read(api: ReloadlyApi, request: ProviderRequest): Promise<FieldReader> {
    const { status, body, isComplete, refusal, retryAfter_ms } = await this.ask(api, request);
    if (refusal && status < 500) {
      const errorCode = OUR_CODES[status] ?? refusal.errorCode;
      throw new ProviderRefusal({ errorCode, message: refusal.message, retryAfter_ms });
    }
    const reader = new FieldReader(body);
    if (status === 200 && reader.isObject) return reader;
    if (!isComplete) throw new ProviderUnclear("The answer broke off, or does not end.");
    if (status !== 200) throw new ProviderUnclear(`It answers with status ${status}.`);
    throw new ProviderUnclear("The answer is not what Reloadly answers: it is no JSON object.");
  }

  /**
   * Returns a valid token. Nothing has been sold if this fails.
   * @throws ProviderRefusal if the credentials are refused, ProviderUnreached, TokenMissing
   */
  async findToken(api: ReloadlyApi): Promise<string> {
    const state = this.#stateOf(api);
    const now = this.#clock.now();
    if (state.current && state.current.expiresAt > now) return state.current.text;
    if (!state.asked && state.pausedUntil > now) throw busy(state.pausedUntil - now);
    state.asked ??= this.#requestToken(api, state).finally(() => {
      state.asked = undefined;
    });
    return (await state.asked).text;
  }

  async #requestToken(api: ReloadlyApi, state: TokenState): Promise<Token> {
    const { baseUrl, key, clientId = "" } = api;
    // Another host than the company's, such as a proxy, answers token requests itself.
    const authUrl = COMPANY_HOST.test(baseUrl) ? COMPANY_AUTH_URL : baseUrl;
    const body = {
      client_id: clientId,
      client_secret: key,
      grant_type: "client_credentials",
      audience: baseUrl,
    };
    const request = { method: "POST", path: "/oauth/token", body } as const;
    const timed = { ...request, priority: "PURCHASE", timeout_ms: TOKEN_TIMEOUT_MS } as const;
    const answer = await askProvider(
      { ...api, baseUrl: authUrl },
      {},
      timed,
      this.#tokenLimits,
    ).catch((error: unknown) => {
      throw error instanceof ProviderUnclear ? new TokenMissing(error.message) : error;
    });
    const { status, body: stated, retryAfter_ms } = answer;
    const now = this.#clock.now();
    if (status === 429 || status === 503) {
      const pause_ms = retryAfter_ms ?? DEFAULT_PAUSE_MS;
      state.pausedUntil = now + pause_ms;
      throw busy(pause_ms);
    }
    const refusal = readReloadlyRefusal(answer, key);
    if (refusal && status < 500) {
      const message = `The client id or the client secret is refused: ${refusal.message}`;
      throw new ProviderRefusal({ errorCode: "NOT_AUTHORIZED", message });
    }
    const reader = new FieldReader(stated);
    const text = reader.code("access_token");
    const lifetime_s = reader.number("expires_in");
    if (status !== 200 || !/^[\x21-\x7e]+$/.test(text) || lifetime_s === undefined) {
      throw new TokenMissing(
        `The token service answers with status ${status}, but without a token.`,
      );
    }
    const lifetime_ms = Math.max(lifetime_s * SECOND - TOKEN_RESERVE_MS, 0);
    const token = { text, expiresAt: now + lifetime_ms };
    state.current = token;
    return token;
  }

  async #send(api: ReloadlyApi, token: string, request: ProviderRequest): Promise<Answered> {
    const headers = { authorization: `Bearer ${token}`, accept: api.accept };
    const answer = await askProvider(api, headers, request, this.#limits);
    const refusal = readReloadlyRefusal(answer, api.key);
    return { ...answer, text: answer.text.replaceAll(token, "…"), refusal };
  }

  #stateOf({ baseUrl, clientId, key }: ProviderConnection): TokenState {
    const id = createHash("sha256").update(`${baseUrl}\n${clientId}\n${key}`).digest("hex");
    const state = this.#states.get(id) ?? { current: undefined, asked: undefined, pausedUntil: 0 };
    this.#states.set(id, state);
    return state;
  }
}

function busy(retryAfter_ms: number): ProviderRefusal {
  const message = "The token service is busy.";
  return new ProviderRefusal({ errorCode: "RATE_LIMITED", message, retryAfter_ms });
}
