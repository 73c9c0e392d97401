/**
 * Data with which a phone downloads an eSIM profile. A missing or invalid part is an empty text.
 */
export interface EsimProfile {
  iccid: string;
  smdpAddress: string;
  /** Matching id (GSMA SGP.22), and the optional parts that may follow it in an activation code. */
  activationCode: string;
}

/** 18 to 20 digits that begin with 89 (ITU-T E.118). */
const ICCID = /^89\d{16,18}$/;
/** Host name with at least two labels. */
const HOST = /^(?=.{4,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const MATCHING_ID = /^[0-9A-Za-z-]+(\$[0-9.]*(\$1?)?)?$/;
/** Complete activation code: format 1, host and remaining parts, separated by "$". */
const WHOLE_CODE = /^(?:LPA:)?1\$([^$]+)\$(.+)$/i;

/**
 * Normalizes the notations of providers: an activation code with or without the host, an ICCID
 * padded with F, a host written as a URL, any case, and spaces.
 */
export function normalizeEsim(given: EsimProfile): EsimProfile {
  const code = decodeDollars(withoutSpaces(given.activationCode));
  const address = decodeDollars(withoutSpaces(given.smdpAddress));
  const whole = WHOLE_CODE.exec(code) ?? WHOLE_CODE.exec(address);
  const [, host = address, matchingId = code] = whole ?? [];
  return {
    iccid: normalizeIccid(given.iccid),
    smdpAddress: normalizeHost(host),
    activationCode: normalizeMatchingId(matchingId),
  };
}

/** Returns the digits of an ICCID without padding; empty if it is invalid. */
function normalizeIccid(text: string): string {
  const digits = text
    .replace(/[\s-]/g, "")
    .replace(/^ICCID[:=]?/i, "")
    .replace(/F{1,2}$/i, "");
  return ICCID.test(digits) ? digits : "";
}

/**
 * Returns the text of the QR code with which a phone downloads the profile (GSMA SGP.22,
 * rules#esim-qr-code); undefined if the host or the activation code is invalid.
 */
export function toLpaCode(given: EsimProfile): string | undefined {
  const { smdpAddress, activationCode } = normalizeEsim(given);
  if (smdpAddress === "" || activationCode === "") return undefined;
  return `LPA:1$${smdpAddress}$${activationCode}`;
}

function normalizeHost(text: string): string {
  const host = text
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\.?(:443)?(\/.*)?$/, "");
  return HOST.test(host) ? host : "";
}

function normalizeMatchingId(text: string): string {
  const id = text.replace(/\$+$/, "");
  if (!MATCHING_ID.test(id)) return "";
  // SGP.22 allows only capitals. A mixed-case id is left as the provider wrote it.
  return id === id.toLowerCase() ? id.toUpperCase() : id;
}

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, "");
}

function decodeDollars(text: string): string {
  return text.replaceAll(/%24/g, "$").replace(/^LPA%3A/i, "LPA:");
}
