import type { EsimDetails, SaleLine, VoucherDetails } from "../../contract/pos/sale-lines.ts";
import { asIs, type Html, html } from "./html.ts";
import type { PageFormat, PageWords } from "./page-format.ts";

/** Where phones install an eSIM from with one tap. */
const INSTALLERS = [
  ["iphone", "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata="],
  ["android", "https://esimsetup.android.com/esim_qrcode_provisioning?carddata="],
] as const;

/** What the customer redeems: a button before it is shown, and the thing itself after. */
export async function detailsHtml(
  line: SaleLine,
  { isShown, format }: { isShown: boolean; format: PageFormat },
): Promise<Html> {
  const { words } = format;
  if (line.details === "ERASED") return html`<p class="soft">${words.erased}</p>`;
  if (line.details === "UNREADABLE") return html`<p class="soft">${words.unreadable}</p>`;
  if (line.details !== "SHOWN") return html``;
  if (!isShown) return showForm(line, words);
  const esim = line.esim && line.iccid === undefined ? await esimHtml(line.esim, words) : undefined;
  return html`${line.voucher && voucherHtml(line.voucher, line, format)}${esim}`;
}

function showForm({ position, voucher }: SaleLine, words: PageWords): Html {
  return html`<form method="post">
<input type="hidden" name="line" value="${position}">
<button class="act">${voucher ? words.showPin : words.showCode}</button>
<p class="soft">${words.showHint}</p></form>`;
}

function voucherHtml(voucher: VoucherDetails, { position }: SaleLine, format: PageFormat): Html {
  const { words } = format;
  const { epin, serialNumber, redemptionUrl, expiresAt, customerService } = voucher;
  return html`${copied(words.pin, epin, { id: `pin${position}`, words, shown: groupsOf(epin) })}
${copied(words.serialNumber, serialNumber, { id: `serial${position}`, words, isSmall: true })}
${linked(words.redeemAt, redemptionUrl)}
${expiresAt === "" ? undefined : html`<p>${format.fill(words.expires, format.momentOf(expiresAt))}</p>`}
${told(words.howTo, voucher.instructions, voucher.providerInstructions)}
${told(words.terms, voucher.terms, voucher.providerTerms)}
${told(words.customerService, customerService)}${told("", voucher.notes)}`;
}

async function esimHtml(esim: EsimDetails, words: PageWords): Promise<Html> {
  const { qrContent, smdpAddress, activationCode, instructions } = esim;
  const data = encodeURIComponent(qrContent).replaceAll("%3A", ":").replaceAll("%24", "$");
  return html`${await qrHtml(qrContent, words.qr)}
<p class="soft">${words.installHint}</p>
${INSTALLERS.map(
  ([phone, place]) =>
    html`<a class="act plain" href="${place + data}" rel="noreferrer">${words[phone]}</a>`,
)}
<h3>${words.byHand}</h3>
${copied(words.smdp, smdpAddress, { id: "smdp", words, isSmall: true })}
${copied(words.activationCode, activationCode, { id: "code", words, isSmall: true })}
${copied("LPA", qrContent, { id: "lpa", words, isSmall: true })}
${told(words.howTo, instructions)}`;
}

async function qrHtml(content: string, label: string): Promise<Html> {
  const { default: qrcode } = await import("qrcode");
  const { modules } = qrcode.create(content, { errorCorrectionLevel: "M" });
  const { size } = modules;
  const dots: string[] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) if (modules.get(y, x) === 1) dots.push(`M${x} ${y}h1v1h-1z`);
  }
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}"
shape-rendering="crispEdges"><path d="${asIs(dots.join(""))}" fill="#000"/></svg>`;
}

function copied(
  name: string,
  text: string,
  {
    id,
    words,
    isSmall = false,
    shown = html`${text}`,
  }: { id: string; words: PageWords; isSmall?: boolean; shown?: Html },
): Html {
  if (text === "") return html``;
  return html`<p class="soft">${name}</p>
<code class="code${isSmall ? " small" : ""}" id="${id}" dir="ltr">${shown}</code>
<button class="act plain" type="button" hidden data-copy="${id}" data-done="${words.copied}">${words.copy}</button>`;
}

/** An address of the web is a link; anything else is text. */
function linked(name: string, address: string): Html {
  if (address === "") return html``;
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isWeb
    ? html`<p>${name}: <a href="${address}" rel="noreferrer">${address}</a></p>`
    : told(name, address);
}

/** What is said twice, by the brand and by its provider, stands once under one name. */
function told(name: string, ...said: string[]): Html {
  const texts = [...new Set(said.map((text) => text.trim()))].filter((text) => text !== "");
  if (texts.length === 0) return html``;
  return html`${name === "" ? undefined : html`<h3>${name}</h3>`}${texts.map(
    (text) => html`<p class="text" dir="auto">${text}</p>`,
  )}`;
}

/** In groups of four, as it is read aloud and typed in. What is between them is no letter: it is copied plain. */
function groupsOf(pin: string): Html {
  if (!/^[\p{L}\p{N}]+$/u.test(pin)) return html`${pin}`;
  const groups = pin.match(/.{1,4}/gu) ?? [];
  return html`${groups.map((group) => html`<span>${group}</span><wbr>`)}`;
}
