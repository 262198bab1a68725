/** What happens to a silent conversation at the same time as auto-close. */
export type Rival = 'message' | 'transfer'

/** The properties of a conversation that an act changes together. */
export interface ConversationState {
  status: string
  subStatus: string
  holder: number | null
  waitingFor: string
  version: number
  isQueued: boolean
  /** Its lines in order: the texts of both sides, and acts with a preceding `·`. */
  timeline: string[]
  /** `action user`, in order. */
  audit: string[]
  /** The number of the client's messages after its end. */
  late: number
}

export interface Round {
  chatId: number
  start: ConversationState
  rivals: readonly Rival[]
  /**
   * The half hour ends during the round, so that the job may run too early and leave the conversation open.
   */
  isAtBoundary: boolean
  /** The client's message. */
  text: string
  transfer: { by: number; to: number }
}

export interface Texts {
  inactivity: string
  transfer: string
}

/** The answer to the transfer; undefined if there was no transfer. */
export type Answer = string | undefined

/** The result of one order of the acts. */
export interface Ending {
  /** Its name in the report. */
  name: string
  state: ConversationState
  answer: Answer
  /** Whether the message began another conversation, since this one was closed. */
  isWrittenElsewhere: boolean
}

type Act = Rival | 'close'

/** The results of all orders of close, message and transfer. */
export function endingsOf(round: Round, texts: Texts): Ending[] {
  const acts: Act[] = ['close', ...round.rivals]
  const orders = permutations(acts)
  // A job that runs too early closes nothing.
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
