const __bundleUrl=require('node:url').pathToFileURL(__filename).href;
"use strict";var P=Object.defineProperty;var Le=Object.getOwnPropertyDescriptor;var Ce=Object.getOwnPropertyNames;var Se=Object.prototype.hasOwnProperty;var Me=(e,n)=>{for(var t in n)P(e,t,{get:n[t],enumerable:!0})},ke=(e,n,t,r)=>{if(n&&typeof n=="object"||typeof n=="function")for(let o of Ce(n))!Se.call(e,o)&&o!==t&&P(e,o,{get:()=>n[o],enumerable:!(r=Le(n,o))||r.enumerable});return e};var Pe=e=>ke(P({},"__esModule",{value:!0}),e);var xn={};Me(xn,{profileReport:()=>$n});module.exports=Pe(xn);var Oe=/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;function c(e,n=160){let t=Math.floor(n/3);return(e.length<=n?e:`${e.slice(0,n-t-1)}\u2026${e.slice(-t)}`).replace(Oe,o=>`\\u{${o.codePointAt(0).toString(16)}}`)}var B={name:e=>c(e),prose:e=>c(e,2e3)};var Ee=["instructions","cycles","ilp"],Ae=["mac","macs","run-time-bound"],F=["parallel-bound","load-imbalance","utilisation"],H=[...Ae,...F],Ln=[...Ee,...H];function u(e){return String(e).replace(/\B(?=(\d{3})+$)/g,",")}function x(e){return e.toFixed(2)}function b(e,n){switch(e){case"ilp":return x(n);case"mac":case"macs":case"load-imbalance":return g(n);case"utilisation":return m(n);case"run-time-bound":case"parallel-bound":return u(Math.round(n));case"instructions":case"cycles":return u(n)}}function g(e){return E(e,2)}function w(e){let n=E(Math.abs(e),2);return n==="0.00"?n:`${e>0?"+":"-"}${n}`}function O(e){return E(e,2).replace(/\.00$|(?<=\.\d)0$/,"")}function E(e,n){let[t="",r]=e.toFixed(n).split(".");return`${u(t)}.${r}`}function m(e){let n=e*100;return n>0&&n<.1?"<0.1%":`${n.toFixed(1)}%`}function f(e,n,t=`${n}s`){return`${u(e)} ${e===1?n:t}`}function A(e){return e.file!==void 0?e.line===void 0?e.file:`${e.file}:${e.line}`:e.function??e.module}function Re({links:e}){let n=new Set(e.map(({inlined:t})=>{let{file:r,line:o}=t?.at(-1)??{};return r===void 0||o===void 0?void 0:`${r}:${o}`}));return n.size===1?[...n][0]:void 0}function D(e,n){let t=Re(e);return t===void 0?"":`, inlined at ${n(t)}`}function G({instruction:e,address:n,file:t,function:r}){return t===void 0&&r===void 0?`${e} at ${n}`:e}function z({processes:e}){return e===void 0?"the whole run":"the first process\u2019s last program"}function M({file:e,line:n,address:t}){return e===void 0?n===void 0?t:`line ${n}`:n===void 0?e:`${e}:${n}`}function U(e){return[...e].sort((n,t)=>t.share-n.share||t.runTime-n.runTime)}var v=["A","C","S","P"],k={A:"the application: what it needs beside floating point at peak rate",C:"the compiler: what it added to, or saved of, what the source asks for",S:"the schedule: dependences, windows and ports that the order of the code runs into",P:"the hardware: caches, branches and all else that is not modelled"},T={"high-ilp":"high ILP","compute-chain":"compute chain","load-chain":"chain of loads"};function V({gaps:e}){let n;for(let t of v){let r=e[t];r!==void 0&&r>(n?.cycles??0)&&(n={gap:t,cycles:r})}return n}function j({limits:{MAC:e,MACS:n}}){return e===n?n:`${n}, MAC: ${e}`}var W={"latency-bound-recurrence":"a latency-bound recurrence","load-chain":"a chain of loads","loads-and-stores":"loads and stores","unfused-operations":"operations that cannot be fused",division:"divisions or square roots","other-operations":"operations beside addition and multiplication","essential-work":"all essential work together","unoptimised-code":"code that is not optimised",spill:"a spill",call:"a call that was not inlined","missed-vectorisation":"missed vectorisation","narrow-vectors":"narrow vectors","uncombined-multiply-add":"an uncombined multiply-add","redundant-load":"a redundant load","reloaded-store":"a store that is loaded again","redundant-store":"a redundant store","redundant-instruction":"a redundant instruction","address-arithmetic":"address arithmetic","indexed-store":"a store with an index","partial-unrolling":"partial unrolling","code-alignment":"the loop\u2019s place in lines of code","compiled-work":"all compiled instructions together","wider-vectors":"vectors wider than expected",contraction:"contraction of products and sums",reassociation:"reassociation","fewer-operations":"fewer operations","cheaper-instructions":"cheaper instructions","port-contention":"port contention",window:"windows that are too small","front-end":"the front end","store-forwarding":"store forwarding that fails",schedule:"the schedule","cache-misses":"cache misses","mispredicted-branches":"mispredicted branches","called-code":"called code","not-modelled":"what is not modelled","overlapping-runs":"overlapping runs of the loop","faster-than-model":"a processor faster than its model"};function Ie(e){return Object.hasOwn(W,e)?W[e]:e.replaceAll("-"," ")}function J(e,n,t){let r=t.prose(Ie(e.kind));return e.line===void 0?r:e.file===void 0||e.file===n.file?`${r} in line ${e.line}`:`${r} at ${t.name(`${e.file}:${e.line}`)}`}function q(e,n){let t=(e.gaps[n]??0)<0?-1:1;return e.causes.filter(r=>r.gap===n).sort((r,o)=>t*((o.cycles??0)-(r.cycles??0)))}var L=class{text;constructor(n){this.text=n}};function i(e,...n){let t=e[0];for(let[r,o]of n.entries())t+=K(o)+e[r+1];return new L(t)}function K(e){return e===void 0||e===!1?"":e instanceof L?e.text:typeof e=="number"?String(e):typeof e=="string"?_e(e):e.map(K).join("")}var Ne=2e4;function _e(e){return c(e,Ne).replace(/[&<>"']/g,n=>Be[n])}var Be={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"};function Z(){let e=n=>i`<pattern id="hatch-${n}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" class="fill-${n}"/></pattern>`;return i`<svg class="defs" aria-hidden="true"><defs>${v.map(n=>e(n.toLowerCase()))}</defs></svg>`}function X(e){let{M:n,MA:t,MAC:r,MACS:o,measured:s}=e.bounds,d=[],a,l=(p,h,$)=>{if($===void 0)return;let S=p==="m"?void 0:p.toUpperCase(),we=e.causes.find(_=>_.gap===S&&(_.cycles??-1)<0),ve=a!==void 0&&$<a;d.push({key:a===void 0?"m":p,bound:h,from:a??0,to:$,...ve?{reason:we?.text??"No reason was found."}:{}}),a=$};return l("m","M",n),l("a","MA",t),l("c","MAC",r),l("s","MACS",o),l("p","measured",s),d}function Fe(e){return Math.max(...X(e).map(n=>n.to))}function Y(e,n=Fe(e)){return i`<div class="steps">${X(e).map(t=>He(t,n))}</div>`}function He(e,n){let{key:t,bound:r,from:o,to:s,reason:d}=e,a=t==="m",l=a?g(s):w(s-o),p=a?r:`gap ${t.toUpperCase()}`,h=a?"":De(t);return i`
<div class="label"><span class="key key-${t}"></span><b>${a?r:t.toUpperCase()}</b>${h!==""&&i` <span class="soft long">${h}</span>`}</div>
<svg role="img" aria-label="${p}: ${l} cycles per iteration"><rect class="track" width="100%" height="100%" rx="3"/>${Ge(e,n)}</svg>
<div class="value">${a?i`<b>${l}</b>`:i`${l} <span class="soft">&rarr;</span> <span class="soft">${r}</span> <b>${g(s)}</b>`}</div>${d!==void 0&&i`
<div class="why">Below ${t==="p"?"MACS":t==="s"?"MAC":t==="c"?"MA":"M"}: ${d}</div>`}`}function De(e){let n=k[e.toUpperCase()];return n.slice(0,n.indexOf(":"))}function Ge({key:e,from:n,to:t},r){let o=p=>`${r<=0?0:Math.round(Math.max(p,0)/r*1e4)/100}%`,s=Math.min(n,t),d=Math.abs(t-n),a=i`<line class="mark" x1="${o(n)}" x2="${o(n)}" y1="0" y2="100%"/>`;if(d===0)return a;let l=t<n?"hatch":"fill";return i`${n>0&&a}<rect class="${l}-${e}" x="${o(s)}" width="${o(d)}" y="2" height="12" rx="2"/>`}function y(e){let n=Math.round(Math.min(Math.max(e,0),1)*1e4)/100;return i`<span class="share"><svg aria-hidden="true"><rect class="track" width="100%" height="100%"/><rect class="fill-a" width="${n}%" height="100%"/></svg></span>`}var ze=300,Ue=40,We=3,Ve=.001;function ee({loops:e,bounds:n}){if(e===void 0||n===void 0)return;let t=U(e),r=t.filter((o,s)=>s===0||o.share>=Ve).slice(0,Ue);return i`${Z()}
<section id="loops">
<h2>Loops</h2>
<p class="soft">Bounds on <b>${c(n.machine)}</b>, in cycles per iteration of the source loop, by share of the run-time bound.</p>
${Je(t,r.length)}
${je()}
${r.map((o,s)=>Ke(o,s))}
</section>`}function je(){return i`<div class="legend"><div><span class="key key-m"></span>M: floating point at the machine's peak, or MAC where the source is not known</div>${v.map(e=>i`<div><span class="key key-${e.toLowerCase()}"></span>${e}, ${k[e]}</div>`)}<div>Hatched to the left: a negative gap, with its reason</div></div>`}function Je(e,n){let t=e.slice(n,ze),r=e.length-n-t.length,o=(d,a)=>i`<div class="scroll" tabindex="0"><table>
<thead><tr><th>Loop</th><th class="n">Share</th><th class="n">Iterations</th><th class="n">M</th><th class="n">MA</th><th class="n">MAC</th><th class="n">MACS</th><th class="n">Measured</th><th>Limited by</th><th class="n">Largest gap</th><th>Kind</th></tr></thead>
<tbody>${d.map((l,p)=>qe(l,a?p:void 0))}</tbody>
</table></div>`;if(n===0)return i`${o(t,!1)}${r>0&&i`<p class="inside soft small">And ${f(r,"more loop")}.</p>`}`;let s=f(t.length+Math.max(r,0),"smaller loop");return i`<div class="card">${o(e.slice(0,n),!0)}</div>${t.length>0&&i`
<details class="card"><summary><div class="title">${s}</div></summary>${o(t,!1)}${r>0&&i`<p class="inside soft small">And ${f(r,"more loop")}.</p>`}</details>`}`}function qe(e,n){let{M:t,MA:r,MAC:o,MACS:s,measured:d}=e.bounds,a=V(e),l=i`<code>${c(e.function,70)}</code><br><span class="soft small">${c(M(e),70)}${!e.innermost&&", outer"}</span>`;return i`
<tr><td class="name">${n===void 0?l:i`<a href="#loop-${n+1}">${l}</a>`}</td><td class="n">${m(e.share)}${y(e.share)}</td><td class="n">${u(e.iterations)}</td>${[t,r,o,s,d].map(p=>i`<td class="n">${p===void 0?"\u2013":g(p)}</td>`)}<td class="unit">${c(j(e),60)}</td><td class="n">${a===void 0?"\u2013":i`<span class="key key-${a.gap.toLowerCase()}"></span>${a.gap} ${w(a.cycles)}`}</td><td class="nowrap">${e.class!==void 0&&T[e.class]}</td></tr>`}function Ke(e,n){return i`
<details class="card" id="loop-${n+1}"${n<We&&i` open`}>
<summary><div class="title"><h3><code>${c(e.function)}</code> <span class="soft">${c(M(e))}</span></h3>${e.class!==void 0&&i`<span class="badge">${T[e.class]}</span>`}${!e.innermost&&i`<span class="badge">outer: without the loops in it</span>`}</div><span class="big">${m(e.share)}</span></summary>
<div class="inside">
${Ze(e)}
${Y(e)}
${Ye(e)}
${e.notes.length>0&&i`<ul class="plain small soft">${e.notes.map(t=>i`<li>${t}</li>`)}</ul>`}
</div>
</details>`}function Ze(e){let{iterations:n,entries:t,unroll:r,runTime:o,limits:s,essential:d,compiled:a}=e,l=r===1?void 0:i`<span>unrolled <b>${r}</b> times${e.unrollFrom==="counts"&&", by the counts of the run"}</span>`;return i`<div class="facts"><span><b>${u(n)}</b> iterations</span><span>entered <b>${f(t,"time")}</b></span><span>run-time bound <b>${b("run-time-bound",o)}</b> cycles</span>${l}<span>limited by <b>${c(s.MACS)}</b> (MAC: ${c(s.MAC)}${s.MA!==void 0&&`, MA: ${c(s.MA)}`})</span></div>
<div class="facts">${d!==void 0&&i`<span>the source asks for ${Q(d)}</span>`}<span>compiled to ${R(a.instructions,"instruction","instructions")}: ${Q(a)}, ${R(a.branches,"branch","branches")}</span></div>`}var Xe=[["fma","multiply-add","multiply-adds"],["fa","addition","additions"],["fm","multiplication","multiplications"],["fmisc","other floating-point operation","other floating-point operations"],["integer","integer operation","integer operations"],["loads","load","loads"],["stores","store","stores"]];function R(e,n,t){let r=O(e);return i`<b>${r}</b> ${r==="1"?n:t}`}function Q(e){let n=Xe.filter(([t])=>(e[t]??0)!==0);return n.length===0?i`no operations`:i`${n.map(([t,r,o],s)=>i`${s>0&&", "}${R(e[t]??0,r,o)}`)}`}function Ye(e){let n=v.flatMap(t=>q(e,t));return n.length===0?i``:i`<ul class="causes">${n.map(t=>Qe(t,e))}</ul>`}function Qe(e,n){let{gap:t,text:r,advice:o,cycles:s,count:d}=e,a=J(e,n,B);return i`<li><span class="tag tag-${t.toLowerCase()}" title="Gap ${t}">${t}</span><div><p><b>${en(a)}</b>${s!==void 0&&i` <span class="badge">${w(s)} cycles</span>`}${d!==void 0&&d!==1&&i` <span class="badge">${O(d)} an iteration</span>`}</p><p>${r}</p>${o!==void 0&&i`<p class="advice">${o}</p>`}</div></li>`}function en(e){return`${e.charAt(0).toUpperCase()}${e.slice(1)}`}var ne=`
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
`;function te(e,n){return i`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${e}</title>
<style>${new L(ne)}</style>
</head>
<body>
${n}
</body>
</html>
`.text}var I=["","threads","balanced","actual","imbalance","shares"];function re(e){let{threads:n,runTime:t,balanced:r,imbalance:o,utilisation:s,speedUp:d,waiting:a}=e,l=h=>b("run-time-bound",h),p=a>0?`; waiting loops: ${l(a)} cycles, left out`:"";return`On ${f(n,"processor")}: ${l(t)} cycles, balanced ${l(r)}, load imbalance ${g(o)}, utilisation ${m(s)}, speed-up ${g(d)}${p}.`}function oe({regions:e,loops:n},t){let r=new Map(t.map(o=>[o.address,o]));return[...e.map(o=>{let s=o.threads.reduce((d,{runTime:a})=>d+a,0);return{...o,name:`${o.function??"started threads"}${o.part===void 0?"":`, part ${o.part}`}`,place:"",threads:o.threads.length,shares:o.threads.map(({runTime:d})=>s===0?0:d/s)}}),...n.flatMap(o=>{let s=r.get(o.address);return s===void 0?[]:[{...o,name:s.function,place:M(s),shares:[]}]})]}var ie=100;function se({loops:e,bounds:n}){if(!(e===void 0||n?.parallel===void 0))return i`<section id="load">
<h2>Load</h2>
${nn(n.parallel,e)}
</section>`}function nn(e,n){let t=oe(e,n),r=t.length-ie;return i`<p class="soft">${re(e)} Regions that several threads execute together, then the loops that they execute: cycles with equal shares, and of the thread that has most.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Region or loop</th>${I.slice(1,5).map(o=>i`<th class="n">${o}</th>`)}<th>${I[5]}</th></tr></thead>
<tbody>${t.slice(0,ie).map(tn)}</tbody>
</table></div></div>${r>0&&i`<p class="soft small">And ${f(r,"more row")}.</p>`}`}function tn({name:e,place:n,threads:t,balanced:r,runTime:o,imbalance:s,shares:d}){return i`
<tr><td class="name"><code>${c(e)}</code> <span class="soft small">${c(n)}</span></td><td class="n">${String(t)}</td><td class="n">${b("run-time-bound",r)}</td><td class="n">${b("run-time-bound",o)}</td><td class="n">${g(s)}</td><td>${d.map(a=>i`<div class="small">${m(a)}${y(a)}</div>`)}</td></tr>`}function rn(e,n=new Map){let t=s=>n.get(s??"")??s,r=new Map,o=(s,d)=>{let a=r.get(s);if(a!==void 0)return a;let l={place:d,links:[],indices:[],count:0};return r.set(s,l),l};for(let[s,d]of e.links.entries()){let a=o(on(d,t(d.function)),sn(d));a.links.push(d),a.indices.push(s),a.count+=d.count}for(let{module:s,function:d,count:a}of e.rest??[]){let l={module:s,...d===void 0?{}:{function:d}};o(JSON.stringify([t(d)??null,s]),l).count+=a}return[...r].map(([s,d])=>({key:s,...d}))}function on(e,n){return e.file!==void 0?JSON.stringify([e.file,e.line??0,n??""]):JSON.stringify([n??null,ae(e)])}function ae(e){return e.address.slice(0,e.address.lastIndexOf("+"))}function sn(e){let{file:n,line:t,function:r}=e;return{module:ae(e),...n===void 0?{}:{file:n},...t===void 0?{}:{line:t},...r===void 0?{}:{function:r}}}function an({place:e,links:n,count:t},r){return{...e,links:n,count:t,share:r.length===0?0:t/r.length}}function de(e){return rn(e).map(n=>an(n,e))}var dn=.01,le=4;function ce({links:[e,...n]}){return e===void 0?"":G(n.reduce((t,r)=>r.count>t.count?r:t,e))}function pe(e,n){let t=e.filter(s=>s.share>=dn),r=t.length===0||e.length<=le,o=new Set([...r?e:t].sort((s,d)=>d.count-s.count).slice(0,r?le:n));return e.filter(s=>o.has(s))}function ue({total:e,bounds:n}){return i`<div class="tiles">
${C(u(e.instructions),"instructions")}
${C(u(e.cycles),"ideal cycles: the longest chain")}
${C(x(e.ilp),"ILP")}
${n!==void 0&&C(b("run-time-bound",n.runTime),`cycles at least on ${c(n.machine)}`)}
${n?.measured!==void 0&&C(b("run-time-bound",n.measured),"cycles measured on hardware")}
${n!==void 0&&C(m(n.covered),"of the instructions are in bounded loops")}
</div>`}function C(e,n){return i`<div class="tile"><b>${e}</b><span>${n}</span></div>`}var ln=300;function fe({processes:e=[],total:n}){if(e.length===0)return;let t=e.slice(0,ln),r=e.length-t.length;return i`<section id="programs">
<h2>Programs</h2>
<p class="soft">In the order in which they ended. A forked process goes on from the cycles of its parent.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Program</th><th class="n">Process</th><th class="n">Of</th><th class="n">Instructions</th><th class="n">Last cycle</th></tr></thead>
<tbody>${t.map(({program:o,process:s,parent:d,instructions:a,cycles:l})=>i`
<tr><td class="name"><code>${c(o)}</code></td><td class="n">${s}</td><td class="n">${d}</td><td class="n">${u(a)}${y(n.instructions===0?0:a/n.instructions)}</td><td class="n">${u(l)}</td></tr>`)}</tbody>
</table></div></div>${r>0&&i`<p class="soft small">And ${f(r,"more program")}.</p>`}
</section>`}var me=300;function he({functions:e,total:n}){if(e.length===0)return;let t=e.slice(0,me),r=e.length-t.length;return i`<section id="functions">
<h2>Functions</h2>
<p class="soft">Of their outermost calls, with what they call.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th>Function</th><th class="n">Calls</th><th class="n">Instructions</th><th class="n">Ideal cycles</th><th class="n">ILP</th></tr></thead>
<tbody>${t.map(o=>cn(o,n.instructions))}</tbody>
</table></div></div>${r>0&&i`<p class="soft small">And ${f(r,"more function")}.</p>`}
</section>`}function cn({name:e,file:n,line:t,calls:r,instructions:o,cycles:s,ilp:d},a){let l=n===void 0?"":t===void 0?n:`${n}:${t}`;return i`
<tr><td class="name"><code>${c(e)}</code> <span class="soft small">${c(l)}</span></td><td class="n">${u(r)}</td><td class="n">${u(o)}${y(a===0?0:o/a)}</td><td class="n">${u(s)}</td><td class="n">${x(d)}</td></tr>`}function ge({threads:e,total:n}){if(e===void 0)return;let t=e.slice(0,me),r=e.length-t.length;return i`<section id="threads">
<h2>Threads</h2>
<p class="soft">In order of creation, each with its own instructions alone.</p>
<div class="card"><div class="scroll" tabindex="0"><table>
<thead><tr><th class="n">Thread</th><th>Function</th><th class="n">Instructions</th><th class="n">Ideal cycles</th><th class="n">ILP</th></tr></thead>
<tbody>${t.map(o=>pn(o,n.instructions))}</tbody>
</table></div></div>${r>0&&i`<p class="soft small">And ${f(r,"more thread")}.</p>`}
</section>`}function pn({index:e,function:n,instructions:t,cycles:r,ilp:o},s){return i`
<tr><td class="n">${String(e)}</td><td class="name">${n!==void 0&&i`<code>${c(n)}</code>`}</td><td class="n">${u(t)}${y(s===0?0:t/s)}</td><td class="n">${r!==void 0&&u(r)}</td><td class="n">${o!==void 0&&x(o)}</td></tr>`}var un=40,fn=3e3,mn=6,hn=2;function be({calls:e}){if(e.length===0)return;let n={calls:fn};return i`<section id="calls">
<h2>Calls</h2>
<div class="card"><div class="inside tree">${e.map(t=>ye(t,1,n))}</div></div>
</section>`}function ye(e,n,t){if(t.calls<=0)return;t.calls-=1;let{function:r,aggregated:o,instructions:s,cycles:d,ilp:a}=e,l=i`<code>${c(r)}</code>${o!==void 0&&i` <span class="badge">${f(o,"call")}</span>`}<span class="numbers">${u(s)} instructions, ${u(d)} cycles, ILP ${x(a)}</span>`,p=n>mn?" deep":"";if(e.calls.length===0)return i`<div class="leaf${p}">${l}</div>`;let h=n<un?e.calls.map(S=>ye(S,n+1,t)):[],$=e.calls.length-h.filter(S=>S!==void 0).length;return i`
<details class="node${p}"${n<=hn&&i` open`}><summary>${l}</summary>${h}${$>0&&i`<div class="leaf soft${p}">and ${f($,"more call")}, not shown</div>`}</details>`}var gn=40,bn=200;function $e(e){let{chains:n}=e;if(n.length!==0)return i`<section id="chains">
<h2>Longest chains</h2>
<p class="soft">Each instruction waits for the one before it: no machine is faster, however wide.</p>
${n.map((t,r)=>yn(t,z(e),r))}
</section>`}function yn(e,n,t){let r=de(e),o=pe(r,gn),s=e.length-o.reduce((p,h)=>p+h.count,0),d=e.call===void 0||e.call===0?"":`, call ${u(e.call+1)}`,a=e.function===void 0?i`${n}`:i`<code>${c(e.function)}</code>`,l=e.links.slice(0,bn);return i`
<details class="card"${t<3&&i` open`}>
<summary><div class="title"><h3>${a}${d}</h3></div><span class="big">${f(e.length,"link")}</span></summary>
<div class="scroll" tabindex="0"><table>
<thead><tr><th>Source line</th><th class="n">Links</th><th class="n">Share</th><th>Mostly</th></tr></thead>
<tbody>${o.map(p=>i`
<tr><td class="name"><code>${c(A(p))}</code>${p.file!==void 0&&p.function!==void 0&&i` <span class="soft small">${c(p.function)}${D(p,c)}</span>`}</td><td class="n">${u(p.count)}</td><td class="n">${m(p.share)}${y(p.share)}</td><td class="nowrap"><code>${c(ce(p),60)}</code></td></tr>`)}</tbody>
</table></div>
<div class="inside">${r.length>o.length&&i`<p class="soft small">And ${f(r.length-o.length,"more line")} with ${f(s,"link")}.</p>`}
<details class="fold"><summary class="soft small">Instructions in order of first occurrence</summary>
<div class="scroll" tabindex="0"><table><tbody>${l.map(p=>i`
<tr><td class="nowrap"><code>${c(p.instruction,80)}</code></td><td class="name soft small">${c(p.address)}</td><td class="n">${u(p.count)}</td><td class="n">${m(p.share)}</td></tr>`)}</tbody></table></div>${e.links.length>l.length&&i`<p class="soft small">And ${f(e.links.length-l.length,"more instruction")}.</p>`}</details></div>
</details>`}function xe(e){let{tool:n,rules:t,isa:r,program:o,libraries:s,others:d=[],compilers:a}=e;return i`<section id="environment">
<h2>Environment</h2>
<div class="card"><div class="inside"><dl>
<dt>Program</dt><dd><code>${c(o.name)}</code> <span class="soft small mono">${N(o)}</span></dd>
${s.map(l=>i`<dt>Library</dt><dd><code>${c(l.name)}</code> <span class="soft small mono">${N(l)}</span></dd>`)}
${d.map(l=>i`<dt>Of other programs</dt><dd><code>${c(l.name)}</code> <span class="soft small mono">${N(l)}</span></dd>`)}
${a.length>0&&i`<dt>Compiler</dt><dd>${a.map((l,p)=>i`${p>0&&", "}${c(l)}`)}</dd>`}
<dt>Processor that it saw</dt><dd>${c(r)}</dd>
<dt>Measured by</dt><dd>ilp-gate ${c(n)}, rules ${t}</dd>
</dl></div></div>
</section>`}function N({buildId:e,sha256:n}){return e===void 0?`sha256 ${c(n,70)}`:`build id ${c(e,70)}`}function $n(e){let n=[{id:"loops",name:"Loops",body:ee(e)},{id:"load",name:"Load",body:se(e)},{id:"programs",name:"Programs",body:fe(e)},{id:"functions",name:"Functions",body:he(e)},{id:"threads",name:"Threads",body:ge(e)},{id:"calls",name:"Calls",body:be(e)},{id:"chains",name:"Longest chains",body:$e(e)},{id:"environment",name:"Environment",body:xe(e.environment)}].filter(({body:o})=>o!==void 0),t=c(e.command.join(" "),300),r=c(e.target??e.command[0]??"a program",100);return te(`ILP Gate: ${r}`,i`<header><div>
<h1>${r}</h1>
<p class="soft"><code>${t}</code></p>
<nav>${n.map(({id:o,name:s})=>i`<a href="#${o}">${s}</a>`)}</nav>
</div></header>
<main>
${ue(e)}
${n.map(({body:o})=>o)}
</main>
<footer>Instructions and cycles are those of rules ${e.environment.rules}, the same on every machine.${e.bounds!==void 0&&" Bounds are least cycles on a model of the machine named above."}</footer>`)}0&&(module.exports={profileReport});
