/** The acts of two people on one conversation at the same time. */
export const kinds = ['finalize', 'transfer', 'take', 'give', 'reply', 'back', 'delete'] as const
export type Kind = (typeof kinds)[number]

export interface Actor {
  id: number
  name: string
}

export interface Act {
  kind: Kind
  who: Actor
  /** The new operator of a transfer or an assignment. */
  to: Actor
  text: string
  /** The version that the caller saw; without it, any is accepted. */
  version: number | undefined
}

/** The properties of a conversation that an act changes together. */
export interface State {
  status: string
  subStatus: string
  holder: number | null
  waitingFor: string
  version: number
  isQueued: boolean
  isDeleted: boolean
  texts: string[]
  /** `action user details`, in order. */
  audit: string[]
}

/** `200`, or `409 code`. */
export type Outcome = string

export interface Texts {
  transfer(to: Actor): string
  finalization: string
}

/** A row of the audit log as text. The keys of `details` are sorted: jsonb does not keep their order. */
export function auditLine(action: string, userId: number | null, details: Record<string, unknown>): string {
  const sorted = Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${action} ${userId} ${JSON.stringify(Object.fromEntries(sorted))}`
}

/** The state and outcome after a single act. */
function apply(state: State, act: Act, texts: Texts): { state: State; outcome: Outcome } {
  const refuse = (outcome: Outcome) => ({ state, outcome })
  const { who, kind } = act
  if (state.isDeleted) return refuse('404 conversations.not_found')
  if (state.status === 'completed' && kind !== 'delete') return refuse('409 conversations.completed')
  if (kind === 'take' && state.holder !== null && state.holder !== who.id)
    return refuse('409 conversations.taken')
  const wanted: Partial<Record<Kind, number | null>> = { take: who.id, give: act.to.id, back: null }
  if (kind in wanted && wanted[kind] === state.holder) return { state, outcome: '200' }
  const isStale = act.version !== undefined && act.version !== state.version
  if (kind !== 'reply' && kind !== 'delete' && isStale) return refuse('409 conversations.changed')
  const done = (change: Partial<State>, ...audit: string[]) => ({
    outcome: kind === 'reply' ? '201' : '200',
    state: { ...state, version: state.version + 1, ...change, audit: [...state.audit, ...audit] },
  })
  const note = (action: string, details: Record<string, unknown>) =>
    auditLine(`conversation.${action}`, who.id, details)
  const held = (holder: number) => ({ status: 'active', subStatus: 'OPERADOR', holder, isQueued: false })
  const from = state.holder
  switch (kind) {
    case 'finalize':
      return done(
        {
          status: 'completed',
          waitingFor: 'client',
          isQueued: false,
          texts: [...state.texts, texts.finalization],
        },
        note('finalize', { assignedUserId: from }),
      )
    case 'transfer':
      // It is refused to whoever has it.
      if (state.holder === act.to.id) return refuse('409 conversations.taken')
      return done(
        { ...held(act.to.id), texts: [...state.texts, texts.transfer(act.to)] },
        note('transfer', { to: act.to.id, from }),
      )
    case 'take':
    case 'give': {
      const to = kind === 'take' ? who : act.to
      return done(held(to.id), note('assign', { to: to.id, from }))
    }
    case 'back':
      return done(
        { status: 'waiting', subStatus: 'FILA', waitingFor: 'operator', holder: null, isQueued: true },
        note('unassign', { from }),
      )
    case 'reply': {
      const answered = { waitingFor: 'client', texts: [...state.texts, act.text] }
      if (from !== null) return done(answered)
      return done({ ...held(who.id), ...answered, version: state.version + 2 }, note('take', { by: 'reply' }))
    }
    case 'delete':
      return done({ isDeleted: true })
  }
}

/** Whether outcomes and state equal those of one of the two orders. */
export function isSerial(
  start: State,
  [first, second]: [Act, Act],
  texts: Texts,
  seen: { outcomes: [Outcome, Outcome]; state: State },
): boolean {
  const one = apply(start, first, texts)
  const two = apply(one.state, second, texts)
  const other = apply(start, second, texts)
  const another = apply(other.state, first, texts)
  const serialize = (state: State, outcomes: [Outcome, Outcome]) =>
    JSON.stringify([state.isDeleted ? 'gone' : ordered(state), outcomes])
  const actual = serialize(seen.state, seen.outcomes)
  return (
    actual === serialize(two.state, [one.outcome, two.outcome]) ||
    actual === serialize(another.state, [another.outcome, other.outcome])
  )
}

const ordered = (state: State) => [
  state.status,
  state.subStatus,
  state.holder,
  state.waitingFor,
  state.version,
  state.isQueued,
  state.texts,
  state.audit,
]
