import { maxShortcut } from '#shared/settings/settings.ts'
import { fold } from '#shared/text/fold.ts'

/**
 * The shortcut, or the same with the first number behind it that makes it another than those that are taken.
 * @param taken folded; the answer is added
 */
export function freeShortcut(taken: Set<string>, wanted: string): string {
  for (let n = 1; ; n++) {
    const ending = n === 1 ? '' : `-${n}`
    const shortcut = wanted.slice(0, maxShortcut - ending.length) + ending
    if (taken.has(fold(shortcut))) continue
    taken.add(fold(shortcut))
    return shortcut
  }
}
