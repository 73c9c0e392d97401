export const REGIONS = [
  "Global",
  "Africa",
  "Asia",
  "Caribbean",
  "Central America",
  "Eastern Europe",
  "Western Europe",
  "North America",
  "Oceania",
  "South America",
  "South Asia",
  "Southeast Asia",
  "Middle East and North Africa",
] as const;
export type Region = (typeof REGIONS)[number];

export type TopupSubtype = "Mobile Top Up" | "Mobile Bundle" | "Mobile Data";

interface Money {
  currency: string;
  currencyDivisor: number;
}
interface CostTerms {
  discount: number;
  fee: number;
  feePct: number;
}
interface Limits {
  fx: number;
  min: number;
  max: number;
}

export interface FixedMoney {
  priceType: "FIXED";
  cost: Money & { fixed: number } & CostTerms;
  price: Money & {
    fixed: number;
    margin: number;
    suggestedFixed: number;
    suggestedFx: number;
    fee: number;
  };
  send: Money & { fixed: number };
}

export interface RangeMoney {
  priceType: "RANGE";
  cost: Money & Limits & CostTerms;
  price: Money &
    Limits & {
      increment: number;
      margin: number;
      suggestedFixed: number;
      suggestedFx: number;
      fee: number;
    };
  send: Money & Limits;
}

export type OfferMoney = FixedMoney | RangeMoney;

export interface TopupOffer {
  offerId: string;
  brand: string;
  brandName: string;
  country: string;
  createdAt: string;
  updatedAt: string;
  enabled: boolean;
  notes: string;
  shortNotes: string;
  cost: OfferMoney["cost"];
  price: OfferMoney["price"];
  send: OfferMoney["send"];
  priceType: OfferMoney["priceType"];
  productType: "TOPUP";
  regions: Region[];
  subTypes: TopupSubtype[];
  dataGB: number;
  dataUnlimited: boolean;
  durationDays: number;
  smsNumber: number;
  smsUnlimited: boolean;
  voiceMinutes: number;
  voiceUnlimited: boolean;
}

export const VOUCHER_SUBTYPES = [
  "App Store",
  "Beauty",
  "Books",
  "Convenience Store",
  "Electricity",
  "Electronics",
  "Entertainment",
  "Fashion",
  "Food Delivery",
  "Fuel",
  "Gaming",
  "Gift Card",
  "Groceries",
  "Home Improvement",
  "Mobile E-PIN",
  "Music",
  "Online Shopping",
  "Pay TV",
  "Prepaid Internet",
  "Prepaid Wallet",
  "Restaurants",
  "Retail",
  "Ride Hailing",
  "Sports",
  "Streaming",
  "Subscription",
  "Travel",
  "Water",
] as const;
export type VoucherSubtype = (typeof VOUCHER_SUBTYPES)[number];

export const DELIVERY_TYPES = [
  "BARCODE",
  "DIRECT_CREDIT",
  "EMAIL",
  "EPIN",
  "REDEMPTION_URL",
  "TOKEN",
] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

export interface VoucherOffer {
  offerId: string;
  brand: string;
  brandName: string;
  country: string;
  createdAt: string;
  updatedAt: string;
  enabled: boolean;
  notes: string;
  shortNotes: string;
  cost: OfferMoney["cost"];
  price: OfferMoney["price"];
  send: OfferMoney["send"];
  priceType: OfferMoney["priceType"];
  productType: "VOUCHER";
  regions: Region[];
  subTypes: VoucherSubtype[];
  requiredFields: string[];
  deliveryType: DeliveryType;
}

export const DATA_SPEEDS = ["2G", "3G", "4G", "5G"] as const;
export type DataSpeed = (typeof DATA_SPEEDS)[number];

export type EsimSubtype = "eSIM Data" | "eSIM Unlimited" | "eSIM Voice and Data";

export interface Roaming {
  country: string;
  dataSpeeds: DataSpeed[];
}

export interface EsimOffer {
  offerId: string;
  brand: string;
  brandName: string;
  country: string;
  createdAt: string;
  updatedAt: string;
  enabled: boolean;
  notes: string;
  shortNotes: string;
  cost: FixedMoney["cost"];
  price: FixedMoney["price"];
  priceType: "FIXED";
  productType: "ESIM";
  regions: Region[];
  subTypes: EsimSubtype[];
  dataGB: number;
  dataSpeeds: DataSpeed[];
  dataUnlimited: boolean;
  durationDays: number;
  roaming: Roaming[];
  smsNumber: number;
  smsUnlimited: boolean;
  voiceMinutes: number;
  voiceUnlimited: boolean;
}

export interface BillOffer {
  offerId: string;
  brand: string;
  brandName: string;
  country: string;
  createdAt: string;
  updatedAt: string;
  enabled: boolean;
  notes: string;
  shortNotes: string;
  cost: OfferMoney["cost"];
  price: OfferMoney["price"];
  send: OfferMoney["send"];
  priceType: OfferMoney["priceType"];
  productType: "BILL_PAY";
  regions: Region[];
  subTypes: string[];
  requiredFields: string[];
  billRetrievalRequiredFields: string[];
  supportsBillRetrieval: boolean;
  supportsOverpayment: boolean;
  supportsUnderpayment: boolean;
  cutoffTime: string;
  processingDays: Weekday[];
  processingOnHolidays: boolean;
  deliverySpeedSeconds: number;
}

export const WEEKDAYS = [
  "MONDAY",
  "TUESDAY",
  "WEDNESDAY",
  "THURSDAY",
  "FRIDAY",
  "SATURDAY",
  "SUNDAY",
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface PromoText {
  description: string;
  language: string;
  terms: string;
}

export interface Promo {
  id: string;
  brand: { brand: string; brandName: string };
  country: string;
  regions: Region;
  createdAt: string;
  updatedAt: string;
  startAt: string;
  endAt: string;
  minValue: number;
  maxValue: number;
  description: PromoText;
  descriptions: PromoText[];
}

export interface RedemptionInfo {
  country: string;
  deliveryType: DeliveryType;
  language: string;
  redemptionInstructions: string;
  terms: string;
  redemptionVideo: string;
}

export interface Brand {
  brand: string;
  brandName: string;
  brandBigImage: string;
  brandColor: string;
  brandGiftImage: string;
  brandInfoPdf: string;
  brandLogo: string;
  brandLogoExtension: string;
  description: string;
  inputMasks: { requiredField: string; inputMask: string }[];
  redemptionInstructions: {
    country: string;
    deliveryType: DeliveryType;
    language: string;
    link: string;
  }[];
  requiredFieldsLabels: { label: string; requiredField: string }[];
  /**
   * Targets of the links in `redemptionInstructions`. The API's brand detail does not contain them.
   */
  redemptionInstructionInfos: RedemptionInfo[];
}
