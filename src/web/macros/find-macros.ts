import type { Macro } from '#shared/macros/macros.ts'
import { fold } from '#shared/text/fold.ts'

/** Macros whose shortcut begins with the words come first, then those whose name contains them. */
export function findMacros(macros: readonly Macro[], asked: string): Macro[] {
  const words = fold(asked.trim())
  const begins = macros.filter(({ shortcut }) => fold(shortcut).startsWith(words))
  return [...new Set([...begins, ...macros.filter(({ name }) => fold(name).includes(words))])]
}
