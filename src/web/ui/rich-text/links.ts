import { brazilianPhone } from '#shared/text/phone.ts'

export type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

/** Addresses of pages and mail, and telephone numbers as written in Brazil. Every repetition is limited. */
const candidate = new RegExp(
  [
    String.raw`\b(?:https?:\/\/|mailto:|www\.)[^\s<>"'` + '`]+',
    String.raw`(?<![\w.+-])[a-z0-9][\w.+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}`,
    String.raw`(?<![\w.,/+-])(?:\+?55[ -]?)?(?:\(\d{2}\)|\d{2})[ -]?9?\d{4}[ -]?\d{4}(?![\w/-]|[.,]\d)`,
  ].join('|'),
  'giu',
)
/** The longest address that becomes a link. URL parsers take longer and longer over a host, and some fail. */
const longestAddress = 4096

/** Punctuation that ends a sentence rather than a URL. */
const trailing = new Set('.,;:!?)]}»”’…*_~')

/**
 * Splits a text into plain parts and links. Only pages, mail addresses and telephone numbers become links,
 * and only if the URL parser reads the same from them: everything else that a client writes is plain text.
 */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(candidate)) {
    const shown = /^[\d(+]/.test(match[0]) ? match[0] : withoutTrailing(match[0])
    const href = hrefOf(shown)
    if (!href) continue
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push({ kind: 'link', text: shown, href })
    end = match.index + shown.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

function hrefOf(shown: string): string | undefined {
  if (shown.length > longestAddress) return undefined
  if (/^www\./i.test(shown)) return safeHref(`https://${shown}`)
  if (/^(https?|mailto):/i.test(shown)) return safeHref(shown)
  if (shown.includes('@')) return safeHref(`mailto:${shown}`)
  const phone = brazilianPhone(shown)
  return phone && `tel:+${phone}`
}

/** A closing bracket is kept when it was opened inside the URL. */
function withoutTrailing(address: string): string {
  // Scans from the end: a regular expression would restart at every character of a long run.
  let end = address.length
  while (end > 0 && trailing.has(address.charAt(end - 1))) end--
  const cut = address.slice(0, end)
  const rest = address.slice(cut.length)
  const isOpen = cut.includes('(') && !cut.includes(')') && rest.startsWith(')')
  return isOpen ? `${cut})` : cut
}

const allowed = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** The URL when it is safe to follow from client input. */
export function safeHref(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !allowed.has(url.protocol)) return undefined
  // 'https://banco.com@golpe.example' leads elsewhere than it appears to.
  if (url.username !== '' || url.password !== '') return undefined
  return url.href
}
