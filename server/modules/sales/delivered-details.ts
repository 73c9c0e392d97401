import type { EsimDetails, VoucherDetails } from "../../contract/pos/sale-lines.ts";
import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import { toLpaCode } from "../../lib/esim-profile.ts";
import { type CatalogBrand, pickInstructions } from "../catalog/index.ts";

/**
 * What the customer needs to use a voucher: the brand's instructions in the shop's language, or else
 * in English, with what the provider says of this one.
 */
export function toVoucherDetails(
  receipt: NonNullable<Fulfilment["receipt"]>,
  {
    brand,
    country,
    language,
  }: { brand: CatalogBrand | undefined; country: string; language: string },
): VoucherDetails {
  const { deliveryType } = receipt;
  const text = brand && pickInstructions(brand, { country, deliveryType, language });
  return {
    deliveryType,
    epin: receipt.epin,
    serialNumber: receipt.voucherId,
    redemptionUrl: receipt.redemptionUrl,
    accountId: receipt.accountId,
    expiresAt: receipt.expiresAt,
    language: text?.language ?? "",
    instructions: text?.redemptionInstructions ?? "",
    terms: text?.terms ?? "",
    providerInstructions: receipt.instructions,
    providerTerms: receipt.terms,
    notes: receipt.notes,
    customerService: receipt.recipientCustomerServiceNumber,
  };
}

export function toEsimDetails(esim: NonNullable<Fulfilment["esim"]>): EsimDetails {
  const { iccid, smdpAddress, activationCode, redemptionInstructions } = esim;
  return {
    iccid,
    smdpAddress,
    activationCode,
    qrContent: toLpaCode(esim) ?? "",
    instructions: redemptionInstructions,
  };
}
