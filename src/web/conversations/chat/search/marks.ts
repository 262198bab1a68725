import { fold } from '#shared/text/fold.ts'

/** Attribute of the parts of a row in which nothing is marked: author, quote, time. */
const unsearched = 'button, time, [data-unsearched]'

/**
 * The places of the words in an element's text, wherever formatting splits it, compared as the server does.
 * @param words folded and not empty
 */
export function rangesOf(element: Element, words: string): Range[] {
  const nodes: { node: Text; offset: number; length: number }[] = []
  let text = ''
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(unsearched)) continue
    let offset = 0
    for (const character of node.data) {
      const folded = fold(character)
      text += folded
      // Of a character that folds to several, each one leads to its whole.
      for (let n = 0; n < folded.length; n += 1) nodes.push({ node, offset, length: character.length })
      offset += character.length
    }
  }
  const ranges: Range[] = []
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + words.length)) {
    const first = nodes[at]
    const last = nodes[at + words.length - 1]
    if (!first || !last) continue
    const range = document.createRange()
    range.setStart(first.node, first.offset)
    range.setEnd(last.node, last.offset + last.length)
    ranges.push(range)
  }
  return ranges
}

/**
 * Marks the words in the rows of the timeline that are on the screen, now and as rows come and go. Nothing is
 * rendered for it, so that typing stays fast; a browser without highlights shows none. A long text of the
 * shown message is unfolded as far as the first of the words, and scrolled to them.
 * @param ids of the messages that contain the words @param current the message that is shown
 * @returns ends it
 */
export function markIn(
  timeline: Element,
  words: string,
  ids: ReadonlySet<number>,
  current: number | undefined,
): () => void {
  if (!('highlights' in CSS) || words === '') return () => undefined
  const reveal = revealer(timeline)
  const mark = () => {
    const others = new Highlight()
    const shown = new Highlight()
    for (const row of timeline.querySelectorAll<HTMLElement>('[data-message]')) {
      const id = Number(row.dataset['message'])
      if (!ids.has(id)) continue
      const ranges = rangesOf(row, words)
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
