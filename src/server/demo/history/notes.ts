import { teamNotes } from '#server/demo/scripts/team-notes.ts'
import { noteOf } from './automatic.ts'
import { type Facts, fill } from './facts.ts'
import { dice as diceOf } from './random.ts'
import type { DemoMessage } from './timeline.ts'

const notedShare = 0.03

/** In some conversations the team notes something for itself, after an answer. */
export function withNote(messages: readonly DemoMessage[], facts: Facts): DemoMessage[] {
  const first = messages[0]
  // Dice of its own, so that everything else stays as it is.
  const dice = diceOf(`note ${first?.waId} ${first?.at.getTime()}`)
  const place = messages.findIndex(({ from, type }) => typeof from === 'object' && type === 'text')
  const [answer, next] = [messages[place], messages[place + 1]]
  if (!dice.chance(notedShare) || !answer || !next || typeof answer.from !== 'object') return [...messages]
  const room = next.at.getTime() - answer.at.getTime()
  const by = dice.chance(0.2) ? 'supervisora' : answer.from.operator
  const text = fill(dice, dice.pick(teamNotes), facts)
  const note = noteOf(by, text, new Date(answer.at.getTime() + Math.floor(room / 2)))
  return messages.toSpliced(place + 1, 0, note)
}
