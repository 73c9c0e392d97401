import { createHash } from "node:crypto";

/** What the pages look like: on a phone first, light and dark, from either side, in the letters of the phone itself. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#111827;--soft:#4b5563;--page:#f3f4f6;--card:#fff;--line:#d1d5db;
--good:#166534;--bad:#b91c1c;--wait:#92400e;--act:#1d4ed8;--on-act:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#f3f4f6;--soft:#c3c9d4;--page:#0f1623;--card:#1b2433;
--line:#3b475c;--good:#86efac;--bad:#fca5a5;--wait:#fcd34d;--act:#93c5fd;--on-act:#0f1623}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:0 auto;padding:1rem}
header{padding:.5rem 0 1rem}
h1{font-size:1.375rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.125rem;margin:0;overflow-wrap:anywhere}
p{margin:.25rem 0;overflow-wrap:anywhere}
.soft{color:var(--soft)}
.mark{background:#111827;color:#facc15;font-weight:700;text-align:center;padding:.625rem;
border-radius:.5rem;margin:0 0 .75rem}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem;
margin:0 0 .75rem}
.row{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.row>:last-child{white-space:nowrap;font-variant-numeric:tabular-nums}
.brand{display:flex;align-items:center;gap:.75rem;min-width:0}
.brand+span{align-self:center}
.face{flex:none;width:3.25rem;height:2.05rem;border-radius:.3rem;outline:1px solid var(--line);outline-offset:-1px;
user-select:none}
svg.face{fill:none;stroke-linecap:round;stroke-linejoin:round;font-weight:600}
img.face{background:#fff;padding:.2rem;object-fit:contain}
.logo{display:block;width:auto;height:auto;max-width:min(100%,12rem);max-height:5rem;margin:0 0 .75rem;
padding:.375rem;background:#fff;border-radius:.5rem}
.who{font-size:1.25rem;font-weight:600;overflow-wrap:anywhere}
.state{font-weight:700}
.good{color:var(--good)}.bad{color:var(--bad)}.wait{color:var(--wait)}
.total{font-weight:700;font-size:1.125rem}
.act{display:block;width:100%;min-height:3rem;margin:.75rem 0 0;padding:.625rem 1rem;border-radius:.5rem;
border:1px solid var(--act);background:var(--act);color:var(--on-act);font:inherit;font-weight:600;
text-align:center;text-decoration:none;cursor:pointer}
.act.plain{background:transparent;color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.code{display:block;font:600 1.375rem/1.4 ui-monospace,monospace;letter-spacing:.04em;margin:.25rem 0;
padding:.75rem;border:1px dashed var(--soft);border-radius:.5rem;overflow-wrap:anywhere;user-select:all}
.code.small{font-size:1rem}
.code span:not(:last-of-type){margin-inline-end:.4em}
.qr{display:block;width:min(100%,17rem);margin:.75rem auto;background:#fff}
.text{white-space:pre-line}
footer{padding:.5rem 0 2rem;font-size:.9375rem}
`;

/** Copies what stands in the element that a button names; without it, a tap on the text selects it. */
export const SCRIPT = `
for(const button of document.querySelectorAll("[data-copy]")){button.hidden=false;
button.addEventListener("click",async()=>{const from=document.getElementById(button.dataset.copy);
const text=from.textContent;try{await navigator.clipboard.writeText(text)}catch{
const range=document.createRange();range.selectNodeContents(from);const chosen=getSelection();
chosen.removeAllRanges();chosen.addRange(range);document.execCommand("copy")}
button.textContent=button.dataset.done})}
`;

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Nothing but this style and this script, pictures of the page's own, and forms to the page itself. */
const POLICY = [
  "default-src 'none'",
  `style-src ${digest(STYLE)}`,
  `script-src ${digest(SCRIPT)}`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(";");

/** Nobody keeps it, finds it by searching, or learns where a visitor came from. */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "referrer-policy": "no-referrer",
  "content-security-policy": POLICY,
};

/** A picture changes its address with what it shows. Opened by itself it can do nothing. */
export const PICTURE_HEADERS = {
  ...PRIVATE_HEADERS,
  "cache-control": "private, max-age=86400, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
};

export const PAGE_HEADERS = {
  ...PRIVATE_HEADERS,
  "content-type": "text/html; charset=utf-8",
};
