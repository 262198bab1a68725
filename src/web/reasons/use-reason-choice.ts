import { useQuery } from '@tanstack/react-query'
import { askFor, choicesFor } from '#shared/reasons/reason-choices.ts'
import type { Reason } from '#shared/reasons/reasons.ts'
import type { AskReason } from '#shared/settings/ask-reason.ts'
import { reasonQueries } from './queries.ts'

/** What decides about the reason of a conversation. */
export interface Place {
  instanceId: number
  sectorId: number | null
}

interface Asked {
  /** 'no' also where there is nothing to choose, or as long as that is not known. */
  ask: AskReason
  /** In their order. */
  choices: readonly Reason[]
}

/** What is asked of whoever finalizes some conversations: `choices` fit any of them. */
export interface ReasonChoice extends Asked {
  all: readonly Reason[]
  /** What is asked about one of them. */
  of: (conversation: Place) => Asked
}

/** @param when 'always': also where nobody is asked for a reason */
export function useReasonChoice(conversations: readonly Place[], when: 'asked' | 'always'): ReasonChoice {
  const { data } = useQuery(reasonQueries.known())
  const of = (conversation: Place): Asked => {
    const choices = data ? choicesFor(data.reasons, conversation.sectorId) : []
    const ask = data && choices.length > 0 ? askFor(data, conversation) : 'no'
    return { ask: ask === 'no' && choices.length > 0 && when === 'always' ? 'optional' : ask, choices }
  }
  const asked = conversations.map(of).filter(({ ask }) => ask !== 'no')
  const offered = new Set(asked.flatMap(({ choices }) => choices))
  return {
    all: data?.reasons ?? [],
    ask: asked.some(({ ask }) => ask === 'required') ? 'required' : asked.length > 0 ? 'optional' : 'no',
    choices: (data?.reasons ?? []).filter((reason) => offered.has(reason)),
    of,
  }
}
