/** A colon and letters before the cursor, which ask for an emoji. */
export interface EmojiShortcut {
  /** The letters, with spaces for underscores. */
  asked: string
  /** Where the colon and the cursor are in the text. */
  from: number
  to: number
}

/**
 * The shortcut that ends at the cursor. At least two letters, since emoticons such as ':D' have one, and not
 * inside a word, since times and addresses have colons too.
 */
export function emojiShortcutAt(text: string, caret: number): EmojiShortcut | undefined {
  const typed = /(?:^|\s):(\p{L}[\p{L}\p{N}_]{1,30})$/u.exec(text.slice(0, caret))?.[1]
  if (typed === undefined || /^[\p{L}\p{N}_]/u.test(text.slice(caret))) return undefined
  return { asked: typed.replaceAll('_', ' '), from: caret - typed.length - 1, to: caret }
}
