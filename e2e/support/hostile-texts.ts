/** Three hundred texts that try to run scripts, which would call `__ran`. */

const run = '__ran()'
const elsewhere = '//exemplo.invalid/x'

const tags = [
  `<script>${run}</script>`,
  `<script src=${elsewhere}></script>`,
  `<SCRIPT>${run}</SCRIPT>`,
  `<scr<script>ipt>${run}</scr</script>ipt>`,
  `<script>/*<!--*/${run}//--></script>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `]]><script>${run}</script>`,
  `--><script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<img src=x onerror="${run}"//`,
  `<img/src=x/onerror=${run}>`,
  `<img src=${elsewhere}>`,
  `<img src="javascript:${run}">`,
  `<img srcset="${elsewhere} 1x">`,
  `<svg onload=${run}>`,
  `<svg/onload=${run}//`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${run}>#x"></svg>`,
  `<math><mi//xlink:href="javascript:${run}">`,
  `<math><mtext><table><mglyph><style><img src onerror=${run}>`,
  `<body onload=${run}>`,
  `<iframe src="javascript:${run}">`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<iframe src=${elsewhere}>`,
  `<object data="javascript:${run}">`,
  `<embed src="javascript:${run}">`,
  `<link rel=stylesheet href=${elsewhere}>`,
  `<style>@import "${elsewhere}";</style>`,
  `<style>*{background:url(${elsewhere})}</style>`,
  `<base href="${elsewhere}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<form action="javascript:${run}"><input type=submit autofocus>`,
  `<input onfocus=${run} autofocus>`,
  `<select onfocus=${run} autofocus>`,
  `<details open ontoggle=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<audio src=x onerror=${run}>`,
  `<marquee onstart=${run}>`,
  `<a href="javascript:${run}">x</a>`,
  `<a href="data:text/html,<script>${run}</script>">x</a>`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<x onclick=${run} tabindex=1 onfocus=${run} id=x>`,
  `<div style="background:url(${elsewhere})">x</div>`,
  `<xmp><img src=x onerror=${run}></xmp>`,
]

const addresses = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `java\tscript:${run}`,
  `java\nscript:${run}`,
  `\u0001javascript:${run}`,
  `javascript://exemplo.com.br/%0a${run}`,
  `javascript:void(${run})`,
  `data:text/html,<script>${run}</script>`,
  `data:text/html;base64,PHNjcmlwdD5fX3JhbigpPC9zY3JpcHQ+`,
  `vbscript:${run}`,
  `https://exemplo.com.br/"onmouseover="${run}`,
  `https://exemplo.com.br/'onmouseover='${run}`,
  `https://exemplo.com.br/<script>${run}</script>`,
  `https://exemplo.com.br\\@exemplo.invalid/`,
  `https://javascript:${run}@exemplo.com.br`,
  `www.exemplo.com.br/"><img src=x onerror=${run}>`,
  `mailto:a@exemplo.com.br?body=<script>${run}</script>`,
  `tel:+5511999999999"onclick="${run}`,
  `file:///etc/passwd`,
  `blob:https://exemplo.com.br/x`,
  `view-source:javascript:${run}`,
  `feed:javascript:${run}`,
]

const others = [
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `#{${run}}`,
  `<%= ${run} %>`,
  `');${run};//`,
  `";${run};//`,
  `\u2028${run}`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `&#60;img src=x onerror=${run}&#62;`,
  `%3Cscript%3E${run}%3C/script%3E`,
  `\\u003cscript\\u003e${run}`,
  `＜script＞${run}＜/script＞`,
  `+ADw-script+AD4-${run}`,
  `red;background:url(${elsewhere})`,
  `expression(${run})`,
  `\u202e<img src=x onerror=${run}>`,
  `<\u200bscript>${run}</script>`,
  `<img src=x onerror\u00a0=${run}>`,
]

const hostile = [...tags, ...addresses, ...others]

/** The text within WhatsApp's formatting, and after what becomes a link. */
const dresses: ((text: string) => string)[] = [
  (text) => `*_~${text}~_*`,
  (text) => `\`\`\`${text}\`\`\``,
  (text) => `> ${text}`,
  (text) => `- veja https://exemplo.com.br/${text}`,
]
const dressed = (text: string, n: number) =>
  dresses.filter((_, at) => (at + n) % dresses.length !== 0).map((dress) => dress(text))

/** Each text as it is, and most of them in three of four variations. */
export const hostileTexts: readonly string[] = [...hostile, ...hostile.flatMap(dressed)].slice(0, 300)
