/** Style of the guides, light and dark, for phones and wide screens. */
export const GUIDE_STYLE = `
:root{color-scheme:light dark;--ink:#14171c;--soft:#474e59;--page:#fff;--card:#f4f5f7;--line:#d5d9e0;--link:#2447c8}
@media (prefers-color-scheme:dark){:root{--ink:#f0f2f5;--soft:#b5bcc7;--page:#0d0f13;--card:#1a1e25;--line:#343b47;--link:#9fb4ff}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;justify-content:space-between;padding:.75rem 1rem;
border-bottom:1px solid var(--line)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
nav a{padding:.5rem 0}
nav a[aria-current]{color:var(--ink);font-weight:600}
form{display:flex;gap:.5rem;flex:1 1 14rem;max-width:26rem}
input,button{font:inherit;min-height:2.75rem;padding:.25rem .75rem;border:1px solid var(--soft);border-radius:.5rem;
background:var(--page);color:var(--ink)}
input{flex:1;min-width:0}
input::placeholder{color:var(--soft);opacity:1}
main{max-width:52rem;margin:0 auto;padding:1rem}
main:focus{outline:none}
a{color:var(--link)}
h1{font-size:1.875rem;line-height:1.25;margin:1rem 0}
h2{font-size:1.375rem;line-height:1.3;margin:2.5rem 0 .75rem;padding-top:.5rem;border-top:1px solid var(--line)}
h3{font-size:1.125rem;margin:1.75rem 0 .5rem}
pre,code{font:.875rem/1.55 ui-monospace,SFMono-Regular,Menlo,monospace}
code{background:var(--card);border-radius:.25rem;padding:.1em .3em}
pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow-x:auto}
pre code{padding:0;background:none}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;min-width:100%}
th,td{border-bottom:1px solid var(--line);padding:.5rem .75rem .5rem 0;text-align:start;vertical-align:top}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem}
details{background:var(--card);border-radius:.5rem;padding:.25rem 1rem}
summary{min-height:2.75rem;padding:.5rem 0;font-weight:600;cursor:pointer}
.index{padding-inline-start:1.25rem}
.index li{margin:0 0 .75rem}
.source{margin-top:3rem;color:var(--soft)}
.skip{position:absolute;inset-inline-start:-100rem}
.skip:focus{inset-inline-start:1rem;top:.5rem;background:var(--page);padding:.5rem}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
@media print{header,details,.source{display:none}}
`;
