import { type Facts, fill } from './facts.ts'
import type { Habit } from './habits.ts'
import { type MessageContent, parseContent } from './media.ts'
import type { DemoPerson } from '#server/demo/people.ts'
import { asides, closers, slips, thanks, thorough } from '#server/demo/scripts/phrases.ts'
import { dice as diceOf, type Dice } from './random.ts'
import type { Scenario, Step } from '#server/demo/scripts/script.ts'

/** A line of a conversation before it has a time. */
export interface Line extends MessageContent {
  by: 'contact' | 'operator'
  /** Deleted soon after. */
  isSlip?: boolean
}

/** Composes the lines of a conversation, in order. */
export function composeTalk(
  dice: Dice,
  scenario: Scenario,
  person: DemoPerson,
  habit: Habit,
  facts: Facts,
): Line[] {
  const style = styleOf(person)
  function makeLine(by: Line['by'], way: string): Line {
    const said = parseContent(dice, fill(dice, way, facts))
    return { by, ...said, text: by === 'contact' && said.type === 'text' ? style(said.text) : said.text }
  }
  const makeLines = (steps: readonly Step[]) =>
    chooseWays(dice, steps, habit).map(({ by, way }) => makeLine(by, way))
  const lines = makeLines(scenario.steps)
  if (habit.style === 'thorough')
    addAfterOperator(dice, lines, 0.3, () => makeLine('operator', dice.pick(thorough)))
  if (dice.chance(habit.style === 'short' ? 0.2 : 0.42)) lines.push(...makeLines(dice.pick(asides).steps))
  if (dice.chance(0.012))
    lines.splice(dice.between(1, lines.length), 0, {
      ...makeLine(dice.chance(0.5) ? 'operator' : 'contact', dice.pick(slips)),
      isSlip: true,
    })
  if (dice.chance(0.78)) {
    if (lines.at(-1)?.by === 'contact' && dice.chance(0.6))
      lines.push(makeLine('operator', dice.pick(closers)))
    else lines.push(makeLine('contact', dice.pick(thanks)))
    if (lines.at(-1)?.by === 'contact' && dice.chance(habit.style === 'short' ? 0.55 : 0.8))
      lines.push(makeLine('operator', dice.pick(closers)))
  }
  // Occasionally somebody adds a voice message; operators with a short style never do.
  const voiceShare = { contact: 0.022, operator: habit.style === 'short' ? 0 : 0.014 }
  return lines.flatMap((line) =>
    dice.chance(voiceShare[line.by]) ? [line, makeLine(line.by, '@voice')] : split(dice, line),
  )
}

function optionalShare(by: Line['by'], habit: Habit): number {
  if (by === 'contact') return 0.5
  return { short: 0.3, plain: 0.55, thorough: 0.95 }[habit.style]
}

/** Decides which lines are used, and in which variant. */
function chooseWays(dice: Dice, steps: readonly Step[], habit: Habit): { by: Line['by']; way: string }[] {
  let [isUsed, place] = [true, 0]
  return steps.flatMap(({ by, mark, ways }) => {
    if (mark === '' || mark === '?') isUsed = mark === '' || dice.chance(optionalShare(by, habit))
    if (!isUsed) return []
    const isTied = mark === '=' && place < ways.length
    if (!isTied) place = choose(dice, by, ways, habit)
    return [{ by, way: ways[place] ?? '' }]
  })
}

/** Short-style operators prefer the shorter of two variants, thorough ones the longer. */
function choose(dice: Dice, by: Line['by'], ways: readonly string[], habit: Habit): number {
  const places = [...ways.keys()]
  const [one, other] = [dice.pick(places), dice.pick(places)]
  if (by === 'contact' || habit.style === 'plain') return one
  const isShorter = (ways[one] ?? '').length < (ways[other] ?? '').length
  return isShorter === (habit.style === 'short') ? one : other
}

function addAfterOperator(dice: Dice, lines: Line[], share: number, make: () => Line): void {
  for (let at = lines.length - 1; at > 0; at--)
    if (lines[at]?.by === 'operator' && dice.chance(share)) return void lines.splice(at + 1, 0, make())
}

/** Clients split a thought over several messages. */
function split(dice: Dice, line: Line): Line[] {
  const [, head, tail] = /^(.{3,}?[.!?]) (.{3,})$/u.exec(line.text) ?? []
  const isSplit =
    line.type === 'text' && !line.isSlip && head && dice.chance(line.by === 'contact' ? 0.42 : 0.12)
  if (!isSplit || !tail) return [line]
  return [
    { ...line, text: line.by === 'contact' ? head.replace(/\.$/, '') : head },
    { ...line, text: tail },
  ]
}

const shortForms = (
  [
    ['vocês', 'vcs'],
    ['você', 'vc'],
    ['também', 'tbm'],
    ['para o', 'pro'],
    ['para a', 'pra'],
    ['para', 'pra'],
    ['por favor', 'pfv'],
    ['está', 'tá'],
  ] as const
)
  // `\b` treats an accented letter as the end of a word.
  .map(([long, short]) => [new RegExp(`(?<!\\p{L})${long}(?!\\p{L})`, 'gu'), short] as const)

/** The writing style of a person, the same in all conversations. */
function styleOf(person: DemoPerson): (text: string) => string {
  const own = diceOf(`style of ${person.name}`)
  const isShort = own.chance(0.35)
  const isLower = own.chance(0.25)
  const hasNoMarks = own.chance(0.3)
  return (text) => {
    let said = text
    if (isShort) for (const [long, short] of shortForms) said = said.replace(long, short)
    if (isLower) said = said.charAt(0).toLowerCase() + said.slice(1)
    return hasNoMarks ? said.replace(/[.!]$/, '') : said
  }
}
