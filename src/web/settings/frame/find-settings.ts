import { fold } from '#shared/text/fold.ts'
import { type IndexEntry, type PlaceId, placeLabels, settingsIndex } from './settings-index.ts'

const wordsOf = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}/]+/u)
    .filter(Boolean)

/** Whether each of the words begins one of the text's. */
const begins = (asked: readonly string[], text: string) => {
  const words = wordsOf(text)
  return asked.every((one) => words.some((word) => word.startsWith(one)))
}

/**
 * The settings that somebody looks for: first those whose name has all of the words, then those of whose
 * place or description they are.
 * @param within the parts that the person sees
 */
export function findSettings(typed: string, within: readonly PlaceId[]): readonly IndexEntry[] {
  const asked = wordsOf(typed)
  if (asked.length === 0) return []
  const seen = settingsIndex.filter(({ place }) => within.includes(place))
  const byName = seen.filter(({ label, section }) => begins(asked, label ?? section))
  const byAll = seen.filter(({ place, section, label, also }) =>
    begins(asked, [placeLabels[place], section, label, also].filter(Boolean).join(' ')),
  )
  return [...new Set([...byName, ...byAll])]
}
