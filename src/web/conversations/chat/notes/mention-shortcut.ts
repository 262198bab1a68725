import type { Mention } from '#shared/messages/message-metadata.ts'

/** An '@' and what follows it before the cursor, which ask for somebody. */
export interface MentionShortcut {
  /** The beginning of a name; '' behind the '@'. */
  asked: string
  /** Where the '@' and the cursor are in the text. */
  from: number
  to: number
}

/** Names have spaces; what is longer is none. */
const longest = 40

/**
 * The shortcut that ends at the cursor. Not inside a word, since addresses of e-mail have an '@' too, and not
 * behind a name that was chosen.
 */
export function mentionShortcutAt(
  text: string,
  caret: number,
  chosen: readonly Pick<Mention, 'name'>[],
): MentionShortcut | undefined {
  const from = text.slice(0, caret).lastIndexOf('@')
  if (from < 0 || caret - from > longest || /[^\s([{"'“]$/u.test(text.slice(0, from))) return undefined
  const asked = text.slice(from + 1, caret)
  if (asked.includes('\n') || /^\s|\s\s/.test(asked)) return undefined
  if (chosen.some(({ name }) => asked.startsWith(name))) return undefined
  return { asked, from, to: caret }
}
