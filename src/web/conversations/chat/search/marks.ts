import { fold } from '#shared/text/fold.ts'
import { wordsOf } from '#shared/text/words.ts'

/** Attribute of the parts of a row in which nothing is marked: author, quote, time. */
const unsearched = 'button, time, [data-unsearched]'

/** The text of an element with the place of each of its characters. */
interface PlacedText {
  text: string
  /** For each UTF-16 unit of the text. */
  places: { node: Text; offset: number; length: number }[]
}

/** @param write what becomes of a character of the page */
function placedText(element: Element, write: (character: string) => string): PlacedText {
  const places: PlacedText['places'] = []
  let text = ''
  let before: Text | undefined
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(unsearched)) continue
    if (before && blockOf(before) !== blockOf(node)) {
      text += '\n'
      places.push({ node, offset: 0, length: 0 })
    }
    before = node
    let offset = 0
    for (const character of node.data) {
      const written = write(character)
      text += written
      // Of a character that becomes several, each one leads to its whole.
      for (let n = 0; n < written.length; n += 1) places.push({ node, offset, length: character.length })
      offset += character.length
    }
  }
  return { text, places }
}

/** What of a page is read as one text, however it is formatted. */
const blockOf = (node: Text) => node.parentElement?.closest('p, div, li')

/** @param to exclusive */
function rangeOf({ places }: PlacedText, from: number, to: number): Range[] {
  const [first, last] = [places[from], places[to - 1]]
  if (!first || !last) return []
  const range = document.createRange()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + last.length)
  return [range]
}

/**
 * The places of the words in an element's text, wherever formatting splits it, compared as the server does.
 * @param words folded and not empty
 */
export function rangesOf(element: Element, words: string): Range[] {
  const placed = placedText(element, fold)
  const ranges: Range[] = []
  const { text } = placed
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + words.length))
    ranges.push(...rangeOf(placed, at, at + words.length))
  return ranges
}

/**
 * The same for whole words.
 * @param sequences words that stand side by side, folded
 */
export function rangesOfWords(element: Element, sequences: readonly (readonly string[])[]): Range[] {
  const placed = placedText(element, (character) => character)
  const words = wordsOf(placed.text)
  return words.flatMap(({ from }, at) => {
    const found = sequences.filter((sequence) => sequence.every((one, n) => words[at + n]?.folded === one))
    const longest = Math.max(0, ...found.map(({ length }) => length))
    const last = words[at + longest - 1]
    return longest > 0 && last ? rangeOf(placed, from, last.to) : []
  })
}

/**
 * Marks the words in the rows of the timeline that are on the screen, now and as rows come and go. Nothing is
 * rendered for it, so that typing stays fast; a browser without highlights shows none. A long text of the
 * shown message is unfolded as far as the first of the words, and scrolled to them.
 * @param find the places in a row @param ids of the messages that contain the words
 * @param current the message that is shown
 * @returns ends it
 */
export function markIn(
  timeline: Element,
  find: (row: Element) => Range[],
  ids: ReadonlySet<number>,
  current: number | undefined,
): () => void {
  if (!('highlights' in CSS)) return () => undefined
  const reveal = revealer(timeline)
  const mark = () => {
    const others = new Highlight()
    const shown = new Highlight()
    for (const row of timeline.querySelectorAll<HTMLElement>('[data-message]')) {
      const id = Number(row.dataset['message'])
      if (!ids.has(id)) continue
      const ranges = find(row)
      for (const range of ranges) (id === current ? shown : others).add(range)
      if (id !== current) continue
      // The press is seen as a change of the row, and what it shows is marked, too.
      if (ranges.length === 0) row.querySelector<HTMLElement>('[data-unfold]')?.click()
      else reveal.soon(ranges[0])
    }
    CSS.highlights.set('found', others)
    CSS.highlights.set('found-shown', shown)
  }
  let frame = requestAnimationFrame(mark)
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(mark)
  })
  observer.observe(timeline, { subtree: true, childList: true, characterData: true })
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    reveal.cancel()
    CSS.highlights.delete('found')
    CSS.highlights.delete('found-shown')
  }
}

/** Frames for which a place must have stayed where it is. The timeline takes some to measure its rows. */
const settledFrames = 6

/** Scrolls once to a place that is not on the screen, after the scrolling to its row has come to rest. */
function revealer(timeline: Element) {
  let place: Range | undefined
  let isDone = false
  let frame = 0
  const wait = (before: number, still: number) => {
    frame = requestAnimationFrame(() => {
      if (!place) return
      const { top, bottom, height } = place.getBoundingClientRect()
      const isStill = top === before
      if (!isStill || still < settledFrames) return wait(top, isStill ? still + 1 : 0)
      isDone = true
      const view = timeline.getBoundingClientRect()
      if (top < view.top || bottom > view.bottom)
        timeline.scrollTop += top - view.top - (view.height - height) / 2
    })
  }
  return {
    soon(range: Range | undefined) {
      place = range
      if (isDone) return
      cancelAnimationFrame(frame)
      wait(NaN, 0)
    },
    cancel: () => cancelAnimationFrame(frame),
  }
}
