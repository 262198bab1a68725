/** What happens to a silent conversation at the same moment as its end. */
export type Rival = 'message' | 'transfer'

/** A conversation, in what must never be mixed. */
export interface ConversationState {
  status: string
  subStatus: string
  holder: number | null
  waitingFor: string
  version: number
  isQueued: boolean
  /**
   * All that stands in it, in order: what the client said, what we said, and `·` before what became of it.
   */
  timeline: string[]
  /** `action user`, in order. */
  audit: string[]
  /** The client's messages that are younger than its end. */
  late: number
}

export interface Round {
  chatId: number
  start: ConversationState
  rivals: readonly Rival[]
  /** The half hour ends during the round: an earlier run of the job leaves it open. */
  isAtBoundary: boolean
  /** What the client writes. */
  text: string
  transfer: { by: number; to: number }
}

export interface Texts {
  inactivity: string
  transfer: string
}

/** The answer to the transfer; undefined: there was none. */
export type Answer = string | undefined

/** What one order of the acts comes to. */
export interface Ending {
  /** In the words of the report. */
  name: string
  state: ConversationState
  answer: Answer
  /** The message did not find it open, and began another. */
  isWrittenElsewhere: boolean
}

type Act = Rival | 'close'

/** Every ending that one of the orders of close, message and transfer has. */
export function endingsOf(round: Round, texts: Texts): Ending[] {
  const acts: Act[] = ['close', ...round.rivals]
  const orders = permutations(acts)
  // Whoever looked too early closes nothing.
  if (round.isAtBoundary) orders.push(...permutations<Act>([...round.rivals]))
  return orders.map((order) => play(round, texts, order))
}

function play(round: Round, texts: Texts, order: Act[]): Ending {
  let now: Ending = { name: '', state: round.start, answer: undefined, isWrittenElsewhere: false }
  for (const act of order) now = apply(now, act, round, texts)
  return { ...now, name: now.name === '' ? 'nothing' : now.name }
}

function apply(before: Ending, act: Act, round: Round, texts: Texts): Ending {
  const { state } = before
  const isOver = state.status === 'completed'
  const isWaitingForUs = state.waitingFor === 'operator'
  const named = (name: string) => (before.name === '' ? name : `${before.name}, ${name}`)
  const changed = (name: string, change: Partial<ConversationState>): Ending => ({
    ...before,
    name: named(name),
    state: { ...state, version: state.version + 1, ...change },
  })
  const { timeline, audit } = state
  switch (act) {
    case 'close':
      if (isOver || isWaitingForUs) return before
      return changed('closed', {
        status: 'completed',
        timeline: [...timeline, texts.inactivity, '·closed_by_inactivity'],
        audit: [...audit, 'conversation.auto_finalize null'],
      })
    case 'message':
      if (isOver) return { ...before, name: named('message in another'), isWrittenElsewhere: true }
      return changed('message', { waitingFor: 'operator', timeline: [...timeline, round.text] })
    case 'transfer': {
      if (isOver) return { ...before, name: named('transfer refused'), answer: '409 conversations.completed' }
      const done = changed('transferred', {
        holder: round.transfer.to,
        timeline: [...timeline, '·transferred', texts.transfer],
        audit: [...audit, `conversation.transfer ${round.transfer.by}`],
      })
      return { ...done, answer: '200' }
    }
  }
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  )
}
