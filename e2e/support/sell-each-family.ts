import type { Offer } from "../../server/contract/v1/offers.ts";
import { nextPoll, until } from "../../server/testing/until.ts";

/** A number of Tigo in Guatemala, the only network to which the sandbox delivers. */
const PHONE = "+50251234567";
const WHO = {
  firstName: "Ana",
  lastName: "Paz",
  homeAddress: { line1: "12 Calle 1-25", city: "Guatemala", country: "GT" },
};

/**
 * Sells one product of each family through `/v1`, as an integrator's program does.
 * @param key key of the test environment, whose wallet covers the purchases
 * @returns outcomes in the order top-up, voucher, eSIM, bill
 */
export async function sellEachFamily(url: string, key: string): Promise<string[]> {
  async function call(method: string, path: string, body?: object) {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const read = await answer.json();
    if (answer.status === 429) {
      await nextPoll(Number(answer.headers.get("retry-after")) * 1000);
      return call(method, path, body);
    }
    if (!answer.ok) throw new Error(JSON.stringify(read));
    return read;
  }
  async function find(
    family: string,
    fits: (offer: Offer) => boolean,
    filter = "",
  ): Promise<Offer> {
    const { list }: { list: Offer[] } = await call(
      "GET",
      `/${family}/offers?_limit=1024&_offset=0${filter}`,
    );
    const found = list.find(fits);
    if (!found) throw new Error(`no such offer in ${family}`);
    return found;
  }
  async function buy(family: string, body: object): Promise<string> {
    const transactionId = `${family}-1`;
    await call("POST", `/${family}/purchases`, { transactionId, ...body });
    let status = "";
    await until(async () => {
      ({ status } = await call("GET", `/${family}/purchases/${transactionId}`));
      return status === "DONE" || status === "FAILED";
    });
    return status;
  }
  const isFixed = (offer: Offer) => offer.priceType === "FIXED";
  const topup = await find("topups", isFixed, "&country=GT&brand=TIGO");
  const voucher = await find(
    "vouchers",
    (offer) =>
      isFixed(offer) &&
      "deliveryType" in offer &&
      offer.deliveryType === "EPIN" &&
      offer.requiredFields.length === 0,
  );
  const esim = await find("esim", isFixed);
  const bill = await find("billpay", (offer) => offer.priceType === "RANGE");
  const asked = "requiredFields" in bill ? bill.requiredFields : [];
  const fields = asked.map((name) => ({ key: String(name), value: "1234567" }));
  const due = await call(
    "GET",
    `/billpay/offers/${bill.offerId}/bill?accountNumber=1234567&billIdentifier=1234567`,
  );
  return Promise.all([
    buy("topups", { offerId: topup.offerId, recipientPhoneNumber: PHONE }),
    buy("vouchers", { offerId: voucher.offerId, fields: [] }),
    buy("esim", { offerId: esim.offerId }),
    buy("billpay", {
      offerId: bill.offerId,
      fields,
      value: { type: "ZEND", value: due.send },
      sender: WHO,
      recipient: WHO,
    }),
  ]);
}
