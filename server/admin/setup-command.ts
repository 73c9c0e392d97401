import { StartupError } from "../config/config.ts";
import { LONGEST_SHOP_NAME, LONGEST_STAFF_NAME, NAME_PATTERN } from "../contract/pos/name.ts";
import { SHORTEST_OWNER_PIN } from "../contract/pos/pins.ts";
import { LANGUAGES, type Language, STARTING_PRICES } from "../contract/pos/setup.ts";
import { type Command, optional, required } from "./command.ts";
import { readPin } from "./secret-input.ts";

const RATE = /^\d{1,9}(\.\d{1,9})?$/;
/** `face-value` or `suggested`. */
const PRICES = STARTING_PRICES.map((name) => name.toLowerCase().replace("_", "-"));
const NAME = new RegExp(NAME_PATTERN, "u");

export const setupCommand: Command = {
  name: "setup",
  summary: "Set up the shop, like the till's first start",
  options: {
    shop: { value: "NAME", help: "the shop's name" },
    currency: { value: "CODE", help: "currency of its customers, ISO 4217" },
    rate: {
      value: "N",
      help: "units of it for one of the wallet's currency (default: a reference rate)",
    },
    prices: {
      value: PRICES.join("|"),
      help: "face values and prices to pay in cash, or the provider's suggested prices (default: face-value)",
    },
    "time-zone": { value: "ZONE", help: "time zone of its days (default: the machine's)" },
    language: { value: LANGUAGES.join("|"), help: "language of the till and its receipts" },
    "owner-name": { value: "NAME", help: "name of the owner" },
    "owner-pin": {
      value: "PIN",
      help: `${SHORTEST_OWNER_PIN} to 8 digits, - reads it from standard input`,
    },
  },
  async run(ctx, values) {
    const shopName = checkName(required(values, "shop"), "shop", LONGEST_SHOP_NAME);
    const ownerName = optional(values, "owner-name");
    const rate = checkRate(optional(values, "rate"));
    const timeZone = optional(values, "time-zone");
    const owner = await ctx.shop.setUp(ctx.accountId, {
      shopName,
      currency: required(values, "currency").toUpperCase(),
      language: checkLanguage(required(values, "language")),
      ownerPin: await readPin(values, "owner-pin", SHORTEST_OWNER_PIN),
      ...(ownerName !== undefined && {
        ownerName: checkName(ownerName, "owner-name", LONGEST_STAFF_NAME),
      }),
      ...(rate !== undefined && { rate }),
      prices: readPrices(optional(values, "prices")),
      ...(timeZone !== undefined && { timeZone }),
    });
    const shop = await ctx.shop.get(ctx.accountId);
    return {
      text: `${shop.name} is set up in ${shop.currency} (rate ${shop.rate}), in the time zone ${shop.timeZone}. ${owner.name} can sign in.`,
      data: {
        shopName: shop.name,
        currency: shop.currency,
        rate: shop.rate,
        timeZone: shop.timeZone,
        owner,
      },
    };
  },
};

function checkName(name: string, option: string, longest: number): string {
  if (NAME.test(name) && [...name].length <= longest) return name;
  throw new StartupError(`--${option} must be 1 to ${longest} visible characters on one line.`);
}

function checkLanguage(text: string): Language {
  const language = LANGUAGES.find((known) => known === text);
  if (language) return language;
  throw new StartupError(`--language must be one of ${LANGUAGES.join(", ")}, not "${text}".`);
}

function readPrices(text = "face-value"): (typeof STARTING_PRICES)[number] {
  const prices = STARTING_PRICES[PRICES.indexOf(text)];
  if (prices) return prices;
  throw new StartupError(`--prices must be ${PRICES.join(" or ")}, not "${text}".`);
}

function checkRate(text: string | undefined): string | undefined {
  if (text === undefined || RATE.test(text)) return text;
  throw new StartupError(`--rate must be a decimal number such as 7.75, not "${text}".`);
}
