import { hiddenNumber, unknownContact } from '#shared/text/text.ts'

/** What stands in place of a name. */
const noNames: ReadonlySet<string> = new Set([hiddenNumber, unknownContact])

/**
 * First letters of the first and the last word that have one: 'Maria de Souza' is 'MS'. '' for a name
 * without a letter, such as a telephone number, and where the name is not known.
 */
export function initials(name: string): string {
  if (noNames.has(name) || !/\p{L}/u.test(name)) return ''
  const letters = name
    .split(/\s+/)
    .map((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0])
    .filter((letter) => letter !== undefined)
  const [first, ...rest] = letters
  return ((first ?? '') + (rest.at(-1) ?? '')).toLocaleUpperCase('pt-BR')
}

const hues = [20, 60, 95, 130, 165, 190, 240, 275, 310, 350]

/** The same name has the same hue everywhere. */
export function hueOf(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return hues[sum % hues.length] ?? 190
}
