/** A part of a text; `isMention` where it calls somebody by name. */
export interface TextPart {
  text: string
  isMention: boolean
}

/** The parts of a text, of which those that mention one of the names, such as '@Ana', stand alone. */
export function mentionParts(text: string, names: readonly string[]): TextPart[] {
  // The longest first: 'Ana' is also the beginning of 'Ana Beatriz'.
  const marks = [...new Set(names)].map((name) => `@${name}`).toSorted((a, b) => b.length - a.length)
  const parts: TextPart[] = []
  let plain = ''
  for (let at = 0; at < text.length;) {
    const mark = text[at] === '@' ? marks.find((one) => text.startsWith(one, at)) : undefined
    if (mark === undefined) {
      plain += text[at++]
      continue
    }
    if (plain !== '') parts.push({ text: plain, isMention: false })
    parts.push({ text: mark, isMention: true })
    plain = ''
    at += mark.length
  }
  return plain === '' ? parts : [...parts, { text: plain, isMention: false }]
}
