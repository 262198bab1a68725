import { type DemoSectorName, sectorsOf } from '#server/demo/sectors.ts'
import { movingNotes } from '#server/demo/scripts/team-notes.ts'
import type { Scenario } from '#server/demo/scripts/script.ts'
import { eventOf, movingNotice, noteOf, takingBetween, transferNotice } from './automatic.ts'
import { type Facts, fill } from './facts.ts'
import { type Habit, habits, isThere } from './habits.ts'
import type { Dice } from './random.ts'
import type { DemoMessage } from './timeline.ts'

interface Spoken {
  dice: Dice
  habit: Habit
  scenario: Scenario & { sector: DemoSectorName }
  /** The sector to which the conversation came. */
  sector: DemoSectorName
  facts: Facts
  fullNames: ReadonlyMap<string, string>
}

interface HandedOver {
  messages: DemoMessage[]
  /** Who completes it. */
  finisher: Habit
  sector: DemoSectorName
}

const fewestAfter = 4

/**
 * Passes a conversation on after the first answer: to the sector that knows more of it, where it came to
 * another one, with a note for whoever takes it there; and sometimes to a colleague.
 */
export function handOver(talk: Spoken, messages: DemoMessage[]): HandedOver {
  const { dice, habit, scenario, sector, fullNames } = talk
  const kept = { messages, finisher: habit, sector }
  const from = messages.findIndex(({ from: by }) => typeof by === 'object') + 2
  const after = messages[from]
  if (!after || messages.length - from < fewestAfter) return kept
  const at = new Date(after.at.getTime() - 3000)
  const colleagues = habits.filter(
    ({ username, share }) =>
      username !== habit.username && share > 5 && sectorsOf(username).includes(scenario.sector),
  )
  const present = colleagues.filter((one) => isThere(one, at))
  const others = present.length > 0 ? present : colleagues
  const isAstray = scenario.sector !== sector
  if (others.length === 0 || !(isAstray || dice.chance(0.045))) return kept
  const finisher = dice.pick(others)
  const fullName = fullNames.get(finisher.username) ?? finisher.name
  const rest = messages
    .slice(from)
    .map((message) =>
      typeof message.from === 'object' ? { ...message, from: { operator: finisher.username } } : message,
    )
  const handed = isAstray
    ? [...movedTo(talk, at), ...takingBetween(dice, at, rest)]
    : [eventOf(habit.username, { act: 'transferred', to: fullName }, at), transferNotice(dice, fullName, at)]
  const all = [...messages.slice(0, from), ...handed, ...rest]
  return {
    messages: all.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    finisher,
    sector: scenario.sector,
  }
}

function movedTo({ dice, habit, scenario, facts }: Spoken, at: Date): DemoMessage[] {
  const note = fill(dice, dice.pick(movingNotes[scenario.sector]), facts)
  return [
    eventOf(habit.username, { act: 'moved', to: scenario.sector }, at),
    noteOf(habit.username, note, at),
    movingNotice(dice, scenario.sector, at),
  ]
}
