const __bundleUrl=require('node:url').pathToFileURL(__filename).href;
"use strict";var P=Object.defineProperty;var ve=Object.getOwnPropertyDescriptor;var Le=Object.getOwnPropertyNames;var Ce=Object.prototype.hasOwnProperty;var Se=(e,n)=>{for(var t in n)P(e,t,{get:n[t],enumerable:!0})},Me=(e,n,t,r)=>{if(n&&typeof n=="object"||typeof n=="function")for(let i of Le(n))!Ce.call(e,i)&&i!==t&&P(e,i,{get:()=>n[i],enumerable:!(r=ve(n,i))||r.enumerable});return e};var ke=e=>Me(P({},"__esModule",{value:!0}),e);var $n={};Se($n,{profileReport:()=>yn});module.exports=ke($n);var Pe=/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;function c(e,n=160){let t=Math.floor(n/3);return(e.length<=n?e:`${e.slice(0,n-t-1)}\u2026${e.slice(-t)}`).replace(Pe,i=>`\\u{${i.codePointAt(0).toString(16)}}`)}var B={name:e=>c(e),prose:e=>c(e,2e3)};var Oe=["instructions","cycles","ilp"],Ee=["mac","macs","run-time-bound"],F=["parallel-bound","load-imbalance","utilisation"],H=[...Ee,...F],vn=[...Oe,...H];function p(e){return String(e).replace(/\B(?=(\d{3})+$)/g,",")}function x(e){return e.toFixed(2)}function g(e,n){switch(e){case"ilp":return x(n);case"mac":case"macs":case"load-imbalance":return h(n);case"utilisation":return m(n);case"run-time-bound":case"parallel-bound":return p(Math.round(n));case"instructions":case"cycles":return p(n)}}function h(e){return E(e,2)}function w(e){let n=E(Math.abs(e),2);return n==="0.00"?n:`${e>0?"+":"-"}${n}`}function O(e){return E(e,2).replace(/\.00$|(?<=\.\d)0$/,"")}function E(e,n){let[t="",r]=e.toFixed(n).split(".");return`${p(t)}.${r}`}function m(e){let n=e*100;return n>0&&n<.1?"<0.1%":`${n.toFixed(1)}%`}function f(e,n,t=`${n}s`){return`${p(e)} ${e===1?n:t}`}function A(e){return e.file!==void 0?e.line===void 0?e.file:`${e.file}:${e.line}`:e.function??e.module}function Te({links:e}){let n=new Set(e.map(({inlined:t})=>{let{file:r,line:i}=t?.at(-1)??{};return r===void 0||i===void 0?void 0:`${r}:${i}`}));return n.size===1?[...n][0]:void 0}function D(e,n){let t=Te(e);return t===void 0?"":`, inlined at ${n(t)}`}function G({instruction:e,address:n,file:t,function:r}){return t===void 0&&r===void 0?`${e} at ${n}`:e}function M({file:e,line:n,address:t}){return e===void 0?n===void 0?t:`line ${n}`:n===void 0?e:`${e}:${n}`}function z(e){return[...e].sort((n,t)=>t.share-n.share||t.runTime-n.runTime)}var v=["A","C","S","P"],k={A:"the application: what it needs beside floating point at peak rate",C:"the compiler: what it added to, or saved of, what the source asks for",S:"the schedule: dependences, windows and ports that the order of the code runs into",P:"the hardware: caches, branches and all else that is not modelled"},T={"high-ilp":"high ILP","compute-chain":"compute chain","load-chain":"chain of loads"};function W({gaps:e}){let n;for(let t of v){let r=e[t];r!==void 0&&r>(n?.cycles??0)&&(n={gap:t,cycles:r})}return n}function V({limits:{MAC:e,MACS:n}}){return e===n?n:`${n}, MAC: ${e}`}var U={"latency-bound-recurrence":"a latency-bound recurrence","load-chain":"a chain of loads","loads-and-stores":"loads and stores","unfused-operations":"operations that cannot be fused",division:"divisions or square roots","other-operations":"operations beside addition and multiplication","essential-work":"all essential work together","unoptimised-code":"code that is not optimised",spill:"a spill",call:"a call that was not inlined","missed-vectorisation":"missed vectorisation","narrow-vectors":"narrow vectors","uncombined-multiply-add":"an uncombined multiply-add","redundant-load":"a redundant load","reloaded-store":"a store that is loaded again","redundant-store":"a redundant store","redundant-instruction":"a redundant instruction","address-arithmetic":"address arithmetic","indexed-store":"a store with an index","partial-unrolling":"partial unrolling","code-alignment":"the loop\u2019s place in lines of code","compiled-work":"all compiled instructions together","wider-vectors":"vectors wider than expected",contraction:"contraction of products and sums",reassociation:"reassociation","fewer-operations":"fewer operations","cheaper-instructions":"cheaper instructions","port-contention":"port contention",window:"windows that are too small","front-end":"the front end","store-forwarding":"store forwarding that fails",schedule:"the schedule","cache-misses":"cache misses","mispredicted-branches":"mispredicted branches","called-code":"called code","not-modelled":"what is not modelled","overlapping-runs":"overlapping runs of the loop","faster-than-model":"a processor faster than its model"};function Re(e){return Object.hasOwn(U,e)?U[e]:e.replaceAll("-"," ")}function j(e,n,t){let r=t.prose(Re(e.kind));return e.line===void 0?r:e.file===void 0||e.file===n.file?`${r} in line ${e.line}`:`${r} at ${t.name(`${e.file}:${e.line}`)}`}function J(e,n){let t=(e.gaps[n]??0)<0?-1:1;return e.causes.filter(r=>r.gap===n).sort((r,i)=>t*((i.cycles??0)-(r.cycles??0)))}var L=class{text;constructor(n){this.text=n}};function o(e,...n){let t=e[0];for(let[r,i]of n.entries())t+=q(i)+e[r+1];return new L(t)}function q(e){return e===void 0||e===!1?"":e instanceof L?e.text:typeof e=="number"?String(e):typeof e=="string"?Ne(e):e.map(q).join("")}var Ie=2e4;function Ne(e){return c(e,Ie).replace(/[&<>"']/g,n=>_e[n])}var _e={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"};function K(){let e=n=>o`<pattern id="hatch-${n}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" class="fill-${n}"/></pattern>`;return o`<svg class="defs" aria-hidden="true"><defs>${v.map(n=>e(n.toLowerCase()))}</defs></svg>`}function Z(e){let{M:n,MA:t,MAC:r,MACS:i,measured:s}=e.bounds,l=[],a,d=(u,b,$)=>{if($===void 0)return;let S=u==="m"?void 0:u.toUpperCase(),xe=e.causes.find(_=>_.gap===S&&(_.cycles??-1)<0),we=a!==void 0&&$<a;l.push({key:a===void 0?"m":u,bound:b,from:a??0,to:$,...we?{reason:xe?.text??"No reason was found."}:{}}),a=$};return d("m","M",n),d("a","MA",t),d("c","MAC",r),d("s","MACS",i),d("p","measured",s),l}function Be(e){return Math.max(...Z(e).map(n=>n.to))}function X(e,n=Be(e)){return o`<div class="steps">${Z(e).map(t=>Fe(t,n))}</div>`}function Fe(e,n){let{key:t,bound:r,from:i,to:s,reason:l}=e,a=t==="m",d=a?h(s):w(s-i),u=a?r:`gap ${t.toUpperCase()}`,b=a?"":He(t);return o`
<div class="label"><span class="key key-${t}"></span><b>${a?r:t.toUpperCase()}</b>${b!==""&&o` <span class="soft long">${b}</span>`}</div>
<svg role="img" aria-label="${u}: ${d} cycles per iteration"><rect class="track" width="100%" height="100%" rx="3"/>${De(e,n)}</svg>
<div class="value">${a?o`<b>${d}</b>`:o`${d} <span class="soft">&rarr;</span> <span class="soft">${r}</span> <b>${h(s)}</b>`}</div>${l!==void 0&&o`
<div class="why">Below ${t==="p"?"MACS":t==="s"?"MAC":t==="c"?"MA":"M"}: ${l}</div>`}`}function He(e){let n=k[e.toUpperCase()];return n.slice(0,n.indexOf(":"))}function De({key:e,from:n,to:t},r){let i=u=>`${r<=0?0:Math.round(Math.max(u,0)/r*1e4)/100}%`,s=Math.min(n,t),l=Math.abs(t-n),a=o`<line class="mark" x1="${i(n)}" x2="${i(n)}" y1="0" y2="100%"/>`;if(l===0)return a;let d=t<n?"hatch":"fill";return o`${n>0&&a}<rect class="${d}-${e}" x="${i(s)}" width="${i(l)}" y="2" height="12" rx="2"/>`}function y(e){let n=Math.round(Math.min(Math.max(e,0),1)*1e4)/100;return o`<span class="share"><svg aria-hidden="true"><rect class="track" width="100%" height="100%"/><rect class="fill-a" width="${n}%" height="100%"/></svg></span>`}var Ge=300,ze=40,Ue=3,We=.001;function Q({loops:e,bounds:n}){if(e===void 0||n===void 0)return;let t=z(e),r=t.filter((i,s)=>s===0||i.share>=We).slice(0,ze);return o`${K()}
<section id="loops">
<h2>Loops</h2>
<p class="soft">Bounds on <b>${c(n.machine)}</b>, in cycles per iteration of the source loop, by share of the run-time bound.</p>
${je(t,r.length)}
${Ve()}
${r.map((i,s)=>qe(i,s))}
</section>`}function Ve(){return o`<div class="legend"><div><span class="key key-m"></span>M: floating point at the machine's peak, or MAC where the source is not known</div>${v.map(e=>o`<div><span class="key key-${e.toLowerCase()}"></span>${e}, ${k[e]}</div>`)}<div>Hatched to the left: a negative gap, with its reason</div></div>`}function je(e,n){let t=e.slice(n,Ge),r=e.length-n-t.length,i=(l,a)=>o`<div class="scroll" tabindex="0"><table>
<thead><tr><th>Loop</th><th class="n">Share</th><th class="n">Iterations</th><th class="n">M</th><th class="n">MA</th><th class="n">MAC</th><th class="n">MACS</th><th class="n">Measured</th><th>Limited by</th><th class="n">Largest gap</th><th>Kind</th></tr></thead>
<tbody>${l.map((d,u)=>Je(d,a?u:void 0))}</tbody>
</table></div>`;if(n===0)return o`${i(t,!1)}${r>0&&o`<p class="inside soft small">And ${f(r,"more loop")}.</p>`}`;let s=f(t.length+Math.max(r,0),"smaller loop");return o`<div class="card">${i(e.slice(0,n),!0)}</div>${t.length>0&&o`
<details class="card"><summary><div class="title">${s}</div></summary>${i(t,!1)}${r>0&&o`<p class="inside soft small">And ${f(r,"more loop")}.</p>`}</details>`}`}function Je(e,n){let{M:t,MA:r,MAC:i,MACS:s,measured:l}=e.bounds,a=W(e),d=o`<code>${c(e.function,70)}</code><br><span class="soft small">${c(M(e),70)}${!e.innermost&&", outer"}</span>`;return o`
<tr><td class="name">${n===void 0?d:o`<a href="#loop-${n+1}">${d}</a>`}</td><td class="n">${m(e.share)}${y(e.share)}</td><td class="n">${p(e.iterations)}</td>${[t,r,i,s,l].map(u=>o`<td class="n">${u===void 0?"\u2013":h(u)}</td>`)}<td class="unit">${c(V(e),60)}</td><td class="n">${a===void 0?"\u2013":o`<span class="key key-${a.gap.toLowerCase()}"></span>${a.gap} ${w(a.cycles)}`}</td><td class="nowrap">${e.class!==void 0&&T[e.class]}</td></tr>`}function qe(e,n){return o`
<details class="card" id="loop-${n+1}"${n<Ue&&o` open`}>
<summary><div class="title"><h3><code>${c(e.function)}</code> <span class="soft">${c(M(e))}</span></h3>${e.class!==void 0&&o`<span class="badge">${T[e.class]}</span>`}${!e.innermost&&o`<span class="badge">outer: without the loops in it</span>`}</div><span class="big">${m(e.share)}</span></summary>
<div class="inside">
${Ke(e)}
${X(e)}
${Xe(e)}
${e.notes.length>0&&o`<ul class="plain small soft">${e.notes.map(t=>o`<li>${t}</li>`)}</ul>`}
</div>
</details>`}function Ke(e){let{iterations:n,entries:t,unroll:r,runTime:i,limits:s,essential:l,compiled:a}=e,d=r===1?void 0:o`<span>unrolled <b>${r}</b> times${e.unrollFrom==="counts"&&", by the counts of the run"}</span>`;return o`<div class="facts"><span><b>${p(n)}</b> iterations</span><span>entered <b>${f(t,"time")}</b></span><span>run-time bound <b>${g("run-time-bound",i)}</b> cycles</span>${d}<span>limited by <b>${c(s.MACS)}</b> (MAC: ${c(s.MAC)}${s.MA!==void 0&&`, MA: ${c(s.MA)}`})</span></div>
<div class="facts">${l!==void 0&&o`<span>the source asks for ${Y(l)}</span>`}<span>compiled to ${R(a.instructions,"instruction","instructions")}: ${Y(a)}, ${R(a.branches,"branch","branches")}</span></div>`}var Ze=[["fma","multiply-add","multiply-adds"],["fa","addition","additions"],["fm","multiplication","multiplications"],["fmisc","other floating-point operation","other floating-point operations"],["integer","integer operation","integer operations"],["loads","load","loads"],["stores","store","stores"]];function R(e,n,t){let r=O(e);return o`<b>${r}</b> ${r==="1"?n:t}`}function Y(e){let n=Ze.filter(([t])=>(e[t]??0)!==0);return n.length===0?o`no operations`:o`${n.map(([t,r,i],s)=>o`${s>0&&", "}${R(e[t]??0,r,i)}`)}`}function Xe(e){let n=v.flatMap(t=>J(e,t));return n.length===0?o``:o`<ul class="causes">${n.map(t=>Ye(t,e))}</ul>`}function Ye(e,n){let{gap:t,text:r,advice:i,cycles:s,count:l}=e,a=j(e,n,B);return o`<li><span class="tag tag-${t.toLowerCase()}" title="Gap ${t}">${t}</span><div><p><b>${Qe(a)}</b>${s!==void 0&&o` <span class="badge">${w(s)} cycles</span>`}${l!==void 0&&l!==1&&o` <span class="badge">${O(l)} an iteration</span>`}</p><p>${r}</p>${i!==void 0&&o`<p class="advice">${i}</p>`}</div></li>`}function Qe(e){return`${e.charAt(0).toUpperCase()}${e.slice(1)}`}var ee=`
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
`;function ne(e,n){return o`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${e}</title>
<style>${new L(ee)}</style>
</head>
<body>
${n}
</body>
</html>
`.text}var I=["","threads","balanced","actual","imbalance","shares"];function te(e){let{threads:n,runTime:t,balanced:r,imbalance:i,utilisation:s,speedUp:l,waiting:a}=e,d=b=>g("run-time-bound",b),u=a>0?`; waiting loops: ${d(a)} cycles, left out`:"";return`On ${f(n,"processor")}: ${d(t)} cycles, balanced ${d(r)}, load imbalance ${h(i)}, utilisation ${m(s)}, speed-up ${h(l)}${u}.`}function re({regions:e,loops:n},t){let r=new Map(t.map(i=>[i.address,i]));return[...e.map(i=>{let s=i.threads.reduce((l,{runTime:a})=>l+a,0);return{...i,name:`${i.function??"started threads"}${i.part===void 0?"":`, part ${i.part}`}`,place:"",threads:i.threads.length,shares:i.threads.map(({runTime:l})=>s===0?0:l/s)}}),...n.flatMap(i=>{let s=r.get(i.address);return s===void 0?[]:[{...i,name:s.function,place:M(s),shares:[]}]})]}var oe=100;function ie({loops:e,bounds:n}){if(!(e===void 0||n?.parallel===void 0))return o`<section id="load">
<h2>Load</h2>
${en(n.parallel,e)}
</section>`}function en(e,n){let t=re(e,n),r=t.length-oe;return o`<p class="soft">${te(e)} Regions that several threads execute together, then the loops that they execute: cycles with equal shares, and of the thread that has most.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Region or loop</th>${I.slice(1,5).map(i=>o`<th class="n">${i}</th>`)}<th>${I[5]}</th></tr></thead>
<tbody>${t.slice(0,oe).map(nn)}</tbody>
</table></div></div>${r>0&&o`<p class="soft small">And ${f(r,"more row")}.</p>`}`}function nn({name:e,place:n,threads:t,balanced:r,runTime:i,imbalance:s,shares:l}){return o`
<tr><td class="name"><code>${c(e)}</code> <span class="soft small">${c(n)}</span></td><td class="n">${String(t)}</td><td class="n">${g("run-time-bound",r)}</td><td class="n">${g("run-time-bound",i)}</td><td class="n">${h(s)}</td><td>${l.map(a=>o`<div class="small">${m(a)}${y(a)}</div>`)}</td></tr>`}function tn(e,n=new Map){let t=s=>n.get(s??"")??s,r=new Map,i=(s,l)=>{let a=r.get(s);if(a!==void 0)return a;let d={place:l,links:[],indices:[],count:0};return r.set(s,d),d};for(let[s,l]of e.links.entries()){let a=i(rn(l,t(l.function)),on(l));a.links.push(l),a.indices.push(s),a.count+=l.count}for(let{module:s,function:l,count:a}of e.rest??[]){let d={module:s,...l===void 0?{}:{function:l}};i(JSON.stringify([t(l)??null,s]),d).count+=a}return[...r].map(([s,l])=>({key:s,...l}))}function rn(e,n){return e.file!==void 0?JSON.stringify([e.file,e.line??0,n??""]):JSON.stringify([n??null,se(e)])}function se(e){return e.address.slice(0,e.address.lastIndexOf("+"))}function on(e){let{file:n,line:t,function:r}=e;return{module:se(e),...n===void 0?{}:{file:n},...t===void 0?{}:{line:t},...r===void 0?{}:{function:r}}}function sn({place:e,links:n,count:t},r){return{...e,links:n,count:t,share:r.length===0?0:t/r.length}}function ae(e){return tn(e).map(n=>sn(n,e))}var an=.01,de=4;function le({links:[e,...n]}){return e===void 0?"":G(n.reduce((t,r)=>r.count>t.count?r:t,e))}function ce(e,n){let t=e.filter(s=>s.share>=an),r=t.length===0||e.length<=de,i=new Set([...r?e:t].sort((s,l)=>l.count-s.count).slice(0,r?de:n));return e.filter(s=>i.has(s))}function pe({total:e,bounds:n}){return o`<div class="tiles">
${C(p(e.instructions),"instructions")}
${C(p(e.cycles),"ideal cycles: the longest chain")}
${C(x(e.ilp),"ILP")}
${n!==void 0&&C(g("run-time-bound",n.runTime),`cycles at least on ${c(n.machine)}`)}
${n?.measured!==void 0&&C(g("run-time-bound",n.measured),"cycles measured on hardware")}
${n!==void 0&&C(m(n.covered),"of the instructions are in bounded loops")}
</div>`}function C(e,n){return o`<div class="tile"><b>${e}</b><span>${n}</span></div>`}var dn=300;function ue({processes:e=[],total:n}){if(e.length===0)return;let t=e.slice(0,dn),r=e.length-t.length;return o`<section id="programs">
<h2>Programs</h2>
<p class="soft">In the order in which they ended. A forked process goes on from the cycles of its parent.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Program</th><th class="n">Process</th><th class="n">Of</th><th class="n">Instructions</th><th class="n">Last cycle</th></tr></thead>
<tbody>${t.map(({program:i,process:s,parent:l,instructions:a,cycles:d})=>o`
<tr><td class="name"><code>${c(i)}</code></td><td class="n">${s}</td><td class="n">${l}</td><td class="n">${p(a)}${y(n.instructions===0?0:a/n.instructions)}</td><td class="n">${p(d)}</td></tr>`)}</tbody>
</table></div></div>${r>0&&o`<p class="soft small">And ${f(r,"more program")}.</p>`}
</section>`}var fe=300;function me({functions:e,total:n}){if(e.length===0)return;let t=e.slice(0,fe),r=e.length-t.length;return o`<section id="functions">
<h2>Functions</h2>
<p class="soft">Of their outermost calls, with what they call.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Function</th><th class="n">Calls</th><th class="n">Instructions</th><th class="n">Ideal cycles</th><th class="n">ILP</th></tr></thead>
<tbody>${t.map(i=>ln(i,n.instructions))}</tbody>
</table></div></div>${r>0&&o`<p class="soft small">And ${f(r,"more function")}.</p>`}
</section>`}function ln({name:e,file:n,line:t,calls:r,instructions:i,cycles:s,ilp:l},a){let d=n===void 0?"":t===void 0?n:`${n}:${t}`;return o`
<tr><td class="name"><code>${c(e)}</code> <span class="soft small">${c(d)}</span></td><td class="n">${p(r)}</td><td class="n">${p(i)}${y(a===0?0:i/a)}</td><td class="n">${p(s)}</td><td class="n">${x(l)}</td></tr>`}function he({threads:e,total:n}){if(e===void 0)return;let t=e.slice(0,fe),r=e.length-t.length;return o`<section id="threads">
<h2>Threads</h2>
<p class="soft">In order of creation, each with its own instructions alone.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th class="n">Thread</th><th>Function</th><th class="n">Instructions</th><th class="n">Ideal cycles</th><th class="n">ILP</th></tr></thead>
<tbody>${t.map(i=>cn(i,n.instructions))}</tbody>
</table></div></div>${r>0&&o`<p class="soft small">And ${f(r,"more thread")}.</p>`}
</section>`}function cn({index:e,function:n,instructions:t,cycles:r,ilp:i},s){return o`
<tr><td class="n">${String(e)}</td><td class="name">${n!==void 0&&o`<code>${c(n)}</code>`}</td><td class="n">${p(t)}${y(s===0?0:t/s)}</td><td class="n">${r!==void 0&&p(r)}</td><td class="n">${i!==void 0&&x(i)}</td></tr>`}var pn=40,un=3e3,fn=6,mn=2;function ge({calls:e}){if(e.length===0)return;let n={calls:un};return o`<section id="calls">
<h2>Calls</h2>
<div class="card"><div class="inside tree">${e.map(t=>be(t,1,n))}</div></div>
</section>`}function be(e,n,t){if(t.calls<=0)return;t.calls-=1;let{function:r,aggregated:i,instructions:s,cycles:l,ilp:a}=e,d=o`<code>${c(r)}</code>${i!==void 0&&o` <span class="badge">${f(i,"call")}</span>`}<span class="numbers">${p(s)} instructions, ${p(l)} cycles, ILP ${x(a)}</span>`,u=n>fn?" deep":"";if(e.calls.length===0)return o`<div class="leaf${u}">${d}</div>`;let b=n<pn?e.calls.map(S=>be(S,n+1,t)):[],$=e.calls.length-b.filter(S=>S!==void 0).length;return o`
<details class="node${u}"${n<=mn&&o` open`}><summary>${d}</summary>${b}${$>0&&o`<div class="leaf soft${u}">and ${f($,"more call")}, not shown</div>`}</details>`}var hn=40,gn=200;function ye({chains:e}){if(e.length!==0)return o`<section id="chains">
<h2>Longest chains</h2>
<p class="soft">Each instruction waits for the one before it: no machine is faster, however wide.</p>
${e.map((n,t)=>bn(n,t))}
</section>`}function bn(e,n){let t=ae(e),r=ce(t,hn),i=e.length-r.reduce((d,u)=>d+u.count,0),s=e.call===void 0||e.call===0?"":`, call ${p(e.call+1)}`,l=e.function===void 0?o`the whole run`:o`<code>${c(e.function)}</code>`,a=e.links.slice(0,gn);return o`
<details class="card"${n<3&&o` open`}>
<summary><div class="title"><h3>${l}${s}</h3></div><span class="big">${f(e.length,"link")}</span></summary>
<div class="scroll" tabindex="0"><table>
<thead><tr><th>Source line</th><th class="n">Links</th><th class="n">Share</th><th>Mostly</th></tr></thead>
<tbody>${r.map(d=>o`
<tr><td class="name"><code>${c(A(d))}</code>${d.file!==void 0&&d.function!==void 0&&o` <span class="soft small">${c(d.function)}${D(d,c)}</span>`}</td><td class="n">${p(d.count)}</td><td class="n">${m(d.share)}${y(d.share)}</td><td class="nowrap"><code>${c(le(d),60)}</code></td></tr>`)}</tbody>
</table></div>
<div class="inside">${t.length>r.length&&o`<p class="soft small">And ${f(t.length-r.length,"more line")} with ${f(i,"link")}.</p>`}
<details class="fold"><summary class="soft small">Instructions in order of first occurrence</summary>
<div class="scroll" tabindex="0"><table><tbody>${a.map(d=>o`
<tr><td class="nowrap"><code>${c(d.instruction,80)}</code></td><td class="name soft small">${c(d.address)}</td><td class="n">${p(d.count)}</td><td class="n">${m(d.share)}</td></tr>`)}</tbody></table></div>${e.links.length>a.length&&o`<p class="soft small">And ${f(e.links.length-a.length,"more instruction")}.</p>`}</details></div>
</details>`}function $e(e){let{tool:n,rules:t,isa:r,program:i,libraries:s,others:l=[],compilers:a}=e;return o`<section id="environment">
<h2>Environment</h2>
<div class="card"><div class="inside"><dl>
<dt>Program</dt><dd><code>${c(i.name)}</code> <span class="soft small mono">${N(i)}</span></dd>
${s.map(d=>o`<dt>Library</dt><dd><code>${c(d.name)}</code> <span class="soft small mono">${N(d)}</span></dd>`)}
${l.map(d=>o`<dt>Of other programs</dt><dd><code>${c(d.name)}</code> <span class="soft small mono">${N(d)}</span></dd>`)}
${a.length>0&&o`<dt>Compiler</dt><dd>${a.map((d,u)=>o`${u>0&&", "}${c(d)}`)}</dd>`}
<dt>Processor that it saw</dt><dd>${c(r)}</dd>
<dt>Measured by</dt><dd>ilp-gate ${c(n)}, rules ${t}</dd>
</dl></div></div>
</section>`}function N({buildId:e,sha256:n}){return e===void 0?`sha256 ${c(n,70)}`:`build id ${c(e,70)}`}function yn(e){let n=[{id:"loops",name:"Loops",body:Q(e)},{id:"load",name:"Load",body:ie(e)},{id:"programs",name:"Programs",body:ue(e)},{id:"functions",name:"Functions",body:me(e)},{id:"threads",name:"Threads",body:he(e)},{id:"calls",name:"Calls",body:ge(e)},{id:"chains",name:"Longest chains",body:ye(e)},{id:"environment",name:"Environment",body:$e(e.environment)}].filter(({body:i})=>i!==void 0),t=c(e.command.join(" "),300),r=c(e.target??e.command[0]??"a program",100);return ne(`ILP Gate: ${r}`,o`<header><div>
<h1>${r}</h1>
<p class="soft"><code>${t}</code></p>
<nav>${n.map(({id:i,name:s})=>o`<a href="#${i}">${s}</a>`)}</nav>
</div></header>
<main>
${pe(e)}
${n.map(({body:i})=>i)}
</main>
<footer>Instructions and cycles are those of rules ${e.environment.rules}, the same on every machine.${e.bounds!==void 0&&" Bounds are least cycles on a model of the machine named above."}</footer>`)}0&&(module.exports={profileReport});
