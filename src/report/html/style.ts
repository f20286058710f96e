/**
 * The look of the HTML reports. Colours stand once for light and once for dark; those of the gaps keep their order of
 * lightness for readers who do not tell hues apart, and negative gaps are hatched, never only coloured.
 */
export const STYLE = `
:root {
  --page: #f6f7f9; --card: #fff; --text: #1c2430; --soft: #5b6675; --line: #dfe3e9; --link: #0b57d0;
  --good: #1a7f37; --bad: #c62828; --warn: #9a6700; --shade: #eef1f5;
  --m: #66788f; --a: #2f7fd1; --c: #e08a1e; --s: #8250c4; --p: #c2416b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10141a; --card: #181e27; --text: #e4e9f0; --soft: #98a4b3; --line: #2b3441; --link: #8ab4f8;
    --good: #57c26f; --bad: #ff7b72; --warn: #e3b341; --shade: #212a36;
    --m: #8ea0b8; --a: #5aa5f0; --c: #f0a54a; --s: #b088e8; --p: #ee7fa2;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main, header > div { max-width: 1160px; margin: 0 auto; padding: 0 20px; }
header { background: var(--card); border-bottom: 1px solid var(--line); padding: 22px 0 16px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 36px 0 10px; }
h3 .soft { font-weight: 400; }
h3 { font-size: 15px; margin: 0; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 8px 0; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, .mono { font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.small { font-size: 13px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 12px; font-size: 14px; }
footer { max-width: 1160px; margin: 40px auto 24px; padding: 0 20px; color: var(--soft); font-size: 13px; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 12px; margin-top: 20px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; min-width: 0; }
.tile b { display: block; font-size: 21px; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.tile span { color: var(--soft); font-size: 13px; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 12px 0; min-width: 0; }
.card > .inside { padding: 14px 18px; }
.scroll { overflow-x: auto; border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; font-weight: 500; font-size: 13px; color: var(--soft); white-space: nowrap; }
th, td { padding: 6px 11px; border-bottom: 1px solid var(--line); vertical-align: baseline; }
tr:last-child > td { border-bottom: 0; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.name { min-width: 190px; overflow-wrap: anywhere; }
td.unit { min-width: 110px; }
td.nowrap { white-space: nowrap; }
tbody tr:hover { background: var(--shade); }

summary { cursor: pointer; list-style-position: outside; }
details.card > summary { padding: 12px 18px 12px 14px; list-style: none; display: flex; gap: 10px; align-items: baseline; }
details.card > summary::-webkit-details-marker { display: none; }
details.card > summary::before { content: "\\25b8"; color: var(--soft); flex: none; transition: transform .12s; }
details.card[open] > summary::before { transform: rotate(90deg); }
details.card > .inside { padding: 2px 18px 16px; }
details.fold > summary { list-style-position: inside; }
.title { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; }
.badge { display: inline-block; border: 1px solid var(--line); border-radius: 999px; padding: 0 9px; font-size: 12.5px; color: var(--soft); white-space: nowrap; }
.badge.bad { color: var(--bad); border-color: currentColor; }
.badge.good { color: var(--good); border-color: currentColor; }
.badge.warn { color: var(--warn); border-color: currentColor; }
.big { font-weight: 650; font-variant-numeric: tabular-nums; }
.bad { color: var(--bad); }
.good { color: var(--good); }

svg { display: block; width: 100%; overflow: hidden; }
.fill-m { fill: var(--m); } .fill-a { fill: var(--a); } .fill-c { fill: var(--c); } .fill-s { fill: var(--s); } .fill-p { fill: var(--p); }
.hatch-a { fill: url(#hatch-a); stroke: var(--a); } .hatch-c { fill: url(#hatch-c); stroke: var(--c); }
.hatch-s { fill: url(#hatch-s); stroke: var(--s); } .hatch-p { fill: url(#hatch-p); stroke: var(--p); }
.track { fill: var(--shade); }
.mark { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 2; }
.defs { position: absolute; width: 0; height: 0; }
.share { width: 40px; display: inline-block; vertical-align: middle; margin-left: 8px; }
.share svg { height: 8px; border-radius: 4px; }

.steps { display: grid; grid-template-columns: 132px minmax(60px, 1fr) minmax(150px, auto); gap: 6px 12px; align-items: center; margin: 8px 0 4px; }
.steps .label { font-size: 13px; white-space: nowrap; }
.steps .label b { display: inline-block; min-width: 1.4em; }
.steps .value { text-align: right; font-variant-numeric: tabular-nums; font-size: 13px; white-space: nowrap; }
.steps svg { height: 16px; }
.steps .why { grid-column: 2 / 4; font-size: 13px; color: var(--soft); margin-top: -4px; overflow-wrap: anywhere; }
.key { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; }
.key-m { background: var(--m); } .key-a { background: var(--a); } .key-c { background: var(--c); } .key-s { background: var(--s); } .key-p { background: var(--p); }
.facts { display: flex; flex-wrap: wrap; gap: 2px 20px; font-size: 13px; color: var(--soft); margin: 6px 0; }
.facts b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.causes { list-style: none; margin: 12px 0 0; padding: 0; display: grid; gap: 10px; }
.causes li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 10px; font-size: 14px; }
.tag { font-weight: 650; font-size: 12px; line-height: 18px; width: 22px; height: 22px; text-align: center; border: 2px solid; border-radius: 6px; }
.tag-a { border-color: var(--a); } .tag-c { border-color: var(--c); } .tag-s { border-color: var(--s); } .tag-p { border-color: var(--p); }
.causes p { margin: 0; overflow-wrap: anywhere; }
.causes .advice { color: var(--soft); }
.legend { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 250px), 1fr)); gap: 6px 24px; font-size: 13px; color: var(--soft); margin: 8px 0 0; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 4px 32px; }
.two h4 { margin: 6px 0 0; font-size: 13px; font-weight: 500; color: var(--soft); }

.tree details { padding-left: 16px; }
.tree details.deep { padding-left: 0; }
.tree summary, .tree .leaf { padding: 3px 4px; border-radius: 5px; }
.tree .leaf { padding-left: 36px; }
.tree details > .leaf { padding-left: 20px; }
.tree summary:hover, .tree .leaf:hover { background: var(--shade); }
.tree .numbers { color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; margin-left: 8px; }
ul.plain { margin: 6px 0; padding-left: 20px; }
ul.plain li { overflow-wrap: anywhere; margin: 2px 0; }
pre { margin: 8px 0; padding: 10px 14px; background: var(--shade); border-radius: 8px; white-space: pre-wrap; font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
ul.why { list-style: none; margin: 10px 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; }
ul.why li { border-left: 3px solid var(--bad); padding-left: 12px; }
td.bad, td.good { font-weight: 600; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 18px; margin: 0; font-size: 14px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 560px) {
  main, header > div, footer { padding-left: 14px; padding-right: 14px; }
  th, td { padding: 6px 9px; }
  .card > .inside, details.card > .inside { padding-left: 14px; padding-right: 14px; }
  details.card > summary { padding-left: 10px; padding-right: 12px; }
  .steps { gap: 6px 8px; grid-template-columns: auto minmax(60px, 1fr) auto; }
  .steps .label .long { display: none; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 8px; }
}
@media print { body { background: #fff; } .card, header { break-inside: avoid; } }
`;
