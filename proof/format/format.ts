import { type Block, formatted, type Inline, mostParts } from '#web/ui/rich-text/whatsapp-format.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'

const signs = String.raw`* _ ~ ${'`'} ${'```'} ** ~*_ _~* *a_b~ > >> - 1. 99. \ \* ( ) " ' , . ! @ // 0 12`
const addresses = '+55 https://a.b/_x_/*y* http:// www. a@b.co x@ .com <b> </b> <script> &amp; {{nome}}'
const words = 'a ação não مرحبا 你好 👩‍👩‍👧 🏽 é'
const spaces = ['> ', '- ', '* ', '1. ', '`` `', '(11) 98765-4321', '\n', '\n\n', '\r\n', '\t', ' ']
const invisible = ['\u00A0', '\u200B', '\u202E', '\u0000', '\uD800', '\uFEFF', 'e\u0301']

/** What texts are made of: signs of formatting, what looks like them, links, and words of every script. */
const bits = [signs, addresses, words].flatMap((some) => some.split(' ')).concat(spaces, invisible)

/** Units that were slow, or may be: repeated they make a whole text. */
const hostile =
  '~*_|*|_|~|`|```|*a |*a_b~|> |*a*_b_|* * |a@|(11) |http://a|https://a.b/*_|www.a.b | *|* |_*_~'
    .split('|')
    .concat('`a` ', '```a```', '> *a\n', '1. a\n', '- *a* _b_\n', '*\n')

const pick = <Item>(random: Random, from: readonly Item[]) => from[Math.floor(random() * from.length)] as Item

function textOf(random: Random, length: number): string {
  if (random() < 0.2) return pick(random, hostile).repeat(length).slice(0, length)
  // Few kinds of bits at a time: signs meet more often than among all of them.
  const own = Array.from({ length: 2 + Math.floor(random() * 8) }, () => pick(random, bits))
  let text = ''
  while (text.length < length) text += pick(random, own)
  return text.slice(0, length)
}

/** The elements that a text is drawn with. */
function countNodes(blocks: readonly Block[]): number {
  const ofInline = (parts: readonly Inline[]): number =>
    parts.reduce((sum, part) => sum + 1 + ('children' in part ? ofInline(part.children) : 0), 0)
  return blocks.reduce((sum, block) => {
    if (block.kind === 'code') return sum + 1
    if ('children' in block) return sum + 1 + ofInline(block.children)
    return block.items.reduce((all, item) => all + 1 + ofInline(item), sum + 1)
  }, 0)
}

/** Time for a text formatted some times, in milliseconds a text. */
function timed(text: string, times: number): number {
  const before = performance.now()
  for (let n = 0; n < times; n++) formatted(text)
  return (performance.now() - before) / times
}

/**
 * The least times of the text and of its first eighth, measured in turns. A ratio above the limit is measured
 * on: what the compiler, the garbage collector, and other processes add goes away, and what grows with the
 * square stays.
 */
function leastTimes(text: string): { ms: number; ratio: number } {
  const part = text.slice(0, short)
  let [ofPart, ofWhole] = [Infinity, Infinity]
  const ratio = () => ofWhole / Math.max(ofPart, leastMs)
  for (let turn = 0; turn < 8 || (turn < 64 && ratio() > mostRatio); turn++) {
    // As much work either way: both have their share of garbage collection.
    ofPart = Math.min(ofPart, timed(part, long / short))
    ofWhole = Math.min(ofWhole, timed(text, 1))
  }
  return { ms: ofWhole, ratio: ratio() }
}

const [short, long] = [8192, 65_536]
/**
 * What grows with the square takes 64 times as long. Caches and the garbage collector make the factor larger
 * than eight.
 */
const mostRatio = 16
/** Below this the clock measures itself. */
const leastMs = 0.05

/**
 * Random and hostile texts through the formatter: each is drawn with a bounded number of elements, and eight
 * times the text takes at most sixteen times as long.
 */
export const format = defineScenario({
  options: { texts: 100_000, timed: 400 },
  nightly: {},

  async arrange() {
    await Promise.resolve()
  },

  act(_nothing, { options, random, print, seconds }) {
    const faults: string[] = []
    let most = 0
    for (let n = 0; n < options.texts; n++) {
      // Most are as long as what people write; one in a hundred as long as WhatsApp allows.
      const length = n % 100 === 0 ? long : Math.floor(2 ** (random() * 12))
      const text = textOf(random, length)
      const nodes = countNodes(formatted(text))
      most = Math.max(most, nodes)
      if (nodes > mostParts) faults.push(`${nodes} nodes: ${JSON.stringify(text.slice(0, 60))}`)
    }
    print(`${options.texts} texts after ${seconds()} s, at most ${most} nodes each`)
    const slow: string[] = []
    let worst = 0
    let longest = 0
    const units = [
      ...hostile,
      ...Array.from({ length: options.timed }, () => textOf(random, 3 + Math.floor(random() * 60))),
    ]
    for (const unit of units) {
      const text = unit.repeat(Math.ceil(long / unit.length)).slice(0, long)
      const { ms, ratio } = leastTimes(text)
      longest = Math.max(longest, ms)
      worst = Math.max(worst, ratio)
      if (ratio > mostRatio)
        slow.push(`× ${ratio.toFixed(1)} (${ms.toFixed(2)} ms): ${JSON.stringify(unit.slice(0, 60))}`)
    }
    print(
      `${units.length} units repeated to ${long / 1024} k and ${short / 1024} k: ratio at most ` +
        `${worst.toFixed(1)}, the slowest text ${longest.toFixed(1)} ms`,
    )
    return Promise.resolve({ faults, slow, measured: units.length })
  },

  check({ faults, slow, measured }, _nothing, { options }) {
    return [
      { property: `a text is drawn with ${mostParts} nodes at most`, checked: options.texts, faults },
      {
        property: 'eight times the text takes sixteen times as long at most',
        checked: measured,
        faults: slow,
      },
    ]
  },
})
