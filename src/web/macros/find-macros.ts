import type { Macro } from '#shared/macros/macros.ts'
import { fold } from '#shared/text/fold.ts'

/** The macro with just that shortcut comes first, then those that begin with it, then those by name. */
export function findMacros(macros: readonly Macro[], asked: string): Macro[] {
  const words = fold(asked.trim())
  const begins = macros.filter(({ shortcut }) => fold(shortcut).startsWith(words))
  const is = begins.filter(({ shortcut }) => fold(shortcut) === words)
  return [...new Set([...is, ...begins, ...macros.filter(({ name }) => fold(name).includes(words))])]
}
