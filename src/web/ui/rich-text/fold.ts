/** Texts up to this length, in characters, and with up to this number of lines are shown whole. */
const whole = { characters: 3000, lines: 60 }
/** How much of a longer text each press of 'Ler mais' shows. */
const step = { characters: 2000, lines: 40 }
/** A word that is longer, in characters, may be cut. */
const longestWord = 100

/** How many characters of a text are shown after that many presses of 'Ler mais'. */
export function shownAfter(text: string, presses: number): number {
  let shown = foldAt(text)
  for (let press = 0; press < presses && shown < text.length; press++) shown = foldAt(text, shown)
  return shown
}

/**
 * How many characters of a text are shown first, or after `shown` of them; the text's length when that is all
 * of it. The cut is behind a line or a word where there is one, and never inside a character.
 */
export function foldAt(text: string, shown = 0): number {
  if (fits(text, shown, whole)) return text.length
  const end = Math.min(text.length, shown + step.characters)
  const lines = endOfLines(text, shown, step.lines, end)
  if (lines < end) return lines
  const from = Math.max(shown, end - longestWord)
  const space = text.slice(from, end).search(/\s\S*$/)
  if (space !== -1) return from + space + 1
  const isInside = /[\uDC00-\uDFFF]/.test(text.charAt(end))
  return isInside ? end - 1 : end
}

function fits(text: string, from: number, { characters, lines }: typeof whole): boolean {
  if (text.length - from > characters) return false
  return endOfLines(text, from, lines, text.length) === text.length
}

/** Index behind the given number of lines, at most `to`. */
function endOfLines(text: string, from: number, lines: number, to: number): number {
  let at = from
  for (let count = 0; count < lines; count++) {
    const end = text.indexOf('\n', at)
    if (end === -1 || end >= to) return to
    at = end + 1
  }
  return at
}
