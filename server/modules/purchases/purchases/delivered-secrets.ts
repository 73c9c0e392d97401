import { type Static, Type } from "typebox";
import type { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import { readJson } from "../../../lib/checked-json.ts";

/** Fields that are worth money to anyone who reads them. */
const RECEIPT = [
  "epin",
  "voucherId",
  "redemptionUrl",
  "accountId",
  "instructions",
  "notes",
] as const;
const ESIM = ["activationCode", "redemptionInstructions"] as const;

const Texts = Type.Record(Type.String(), Type.String());
const Secrets = Type.Object({ receipt: Type.Optional(Texts), esim: Type.Optional(Texts) });
type Secrets = Static<typeof Secrets>;

export function hasSecrets({ receipt, esim }: Fulfilment): boolean {
  return receipt !== undefined || esim !== undefined;
}

/** Separates the secrets. The rest, with empty texts in their place, is stored in clear text. */
export function splitSecrets(fulfilment: Fulfilment): { rest: Fulfilment; secrets: string } {
  const { receipt, esim } = fulfilment;
  const secrets: Secrets = {
    ...(receipt && { receipt: pick(receipt, RECEIPT) }),
    ...(esim && { esim: pick(esim, ESIM) }),
  };
  const rest = {
    ...fulfilment,
    ...(receipt && { receipt: { ...receipt, ...blanks(RECEIPT) } }),
    ...(esim && { esim: { ...esim, ...blanks(ESIM) } }),
  };
  return { rest, secrets: JSON.stringify(secrets) };
}

/** @throws JsonMisfit if the text does not contain secrets */
export function joinSecrets(rest: Fulfilment, text: string, transactionId: string): Fulfilment {
  const what = () => `purchases.details_sealed of the row ${transactionId}`;
  const { receipt, esim } = readJson(Secrets, text, what);
  return {
    ...rest,
    ...(rest.receipt && { receipt: { ...rest.receipt, ...receipt } }),
    ...(rest.esim && { esim: { ...rest.esim, ...esim } }),
  };
}

function pick<Name extends string>(from: Record<Name, string>, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

function blanks(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, ""]));
}
