export type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

const candidate = /\b(?:https?:\/\/|mailto:)[^\s<>"'`]+/giu
/** What ends a sentence rather than an address. */
const trailing = new Set('.,;:!?)]}»”’…')

/**
 * Cuts a text into plain parts and links. Only http, https and mailto become links, and only when the URL parser agrees
 * with what is read: what a client writes is never anything but text.
 */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(candidate)) {
    const shown = withoutTrailing(match[0])
    const href = safeHref(shown)
    if (!href) continue
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push({ kind: 'link', text: shown, href })
    end = match.index + shown.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

/** A closing bracket stays when it was opened inside the address. */
function withoutTrailing(address: string): string {
  // Walked back from the end: an expression would start anew at every sign of a long row of them.
  let end = address.length
  while (end > 0 && trailing.has(address.charAt(end - 1))) end--
  const cut = address.slice(0, end)
  const rest = address.slice(cut.length)
  const isOpen = cut.includes('(') && !cut.includes(')') && rest.startsWith(')')
  return isOpen ? `${cut})` : cut
}

const allowed = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** The address when it may be followed from what a client wrote. */
export function safeHref(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !allowed.has(url.protocol)) return undefined
  // 'https://banco.com@golpe.example' reads as another place than it leads to.
  if (url.username !== '' || url.password !== '') return undefined
  return url.href
}
