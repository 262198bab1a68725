import type { Agenda } from './agenda.ts'
import type { DayMs } from '../plan/day.ts'
import type { ClientPlan, Handling, Visit, Word } from '../plan/plan.ts'
import { readText } from '../plan/texts.ts'
import type { Got } from './whatsapp.ts'

/** The progress of a visit. */
export interface Talk {
  visit: Visit
  choices: number
  turns: number
  handled: number
  hasSaidGoodbye: boolean
}

/** All clients: each writes, answers the received texts as planned, and then falls silent. */
export interface Clients {
  onGot(got: Got): void
  /** The next planned act of an operator for this client; 'reply' after the plan's end. */
  nextHandling(phone: string): Handling
  noteHandled(phone: string): void
  talkOf(phone: string): Talk | undefined
}

const outside = { isOutside: true }

export function startClients(
  plans: readonly ClientPlan[],
  {
    agenda,
    nowMs,
    write,
  }: { agenda: Agenda; nowMs: () => DayMs; write: (phone: string, word: Word) => void },
): Clients {
  const talks = new Map<string, Talk>()
  /** Schedules the messages, each `afterMs` after the previous one. */
  const writeAll = (phone: string, words: readonly Word[], from: DayMs) => {
    let at = from
    for (const word of words) {
      at += word.afterMs
      agenda.note(at, () => write(phone, word), outside)
    }
  }
  for (const { phone, visits } of plans)
    for (const visit of visits)
      agenda.note(
        visit.atMs,
        () => {
          talks.set(phone, { visit, choices: 0, turns: 0, handled: 0, hasSaidGoodbye: false })
          writeAll(phone, visit.opening, visit.atMs)
        },
        outside,
      )
  return {
    onGot({ phone, text }) {
      const talk = talks.get(phone)
      if (talk) writeAll(phone, answersTo(talk, text), nowMs())
    },
    nextHandling: (phone) => {
      const talk = talks.get(phone)
      return talk?.visit.handling[talk.handled] ?? 'reply'
    },
    noteHandled(phone) {
      const talk = talks.get(phone)
      if (talk) talk.handled++
    },
    talkOf: (phone) => talks.get(phone),
  }
}

/** What a client writes in answer to a text. */
function answersTo(talk: Talk, text: string): readonly Word[] {
  const { visit } = talk
  switch (readText(text).key) {
    case 'preAttendanceMessage':
    case 'preAttendanceInvalidMessage': {
      const choice = visit.choices[talk.choices++]
      return choice ? [choice] : []
    }
    case 'reply':
      return visit.turns[talk.turns++] ?? []
    case 'ratingMessage': {
      const goodbye = talk.hasSaidGoodbye ? undefined : visit.goodbye
      talk.hasSaidGoodbye = true
      return goodbye ? [goodbye] : []
    }
    default:
      return []
  }
}
