import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#web/platform/api/api.ts'
import { reasonQueries } from './queries.ts'
import { reasonPath } from './reason-path.ts'
import { type Place, type ReasonChoice, useReasonChoice } from './use-reason-choice.ts'

/** The reason that is chosen in a dialog, and what is wrong with it. */
export interface ChosenReason extends ReasonChoice {
  /** undefined: none. */
  id: number | undefined
  path: string | undefined
  error: string | undefined
  choose: (id: number | undefined) => void
  /** Whether one is chosen or none is needed; otherwise the dialog says so from then on. */
  isGiven: () => boolean
  /** Whether a conversation can end with what is chosen: otherwise the server refuses it. */
  fits: (conversation: Place) => boolean
  /** @returns whether the server has refused the reason, which is shown at its field */
  takeRefusal: (error: Error) => boolean
}

/**
 * @param before chosen at first
 * @param when 'always': also where nobody is asked for one
 */
export function useReasonOf(
  conversations: readonly Place[],
  before?: number,
  when: 'asked' | 'always' = 'asked',
): ChosenReason {
  const client = useQueryClient()
  const choice = useReasonChoice(conversations, when)
  const [wanted, setWanted] = useState(before)
  const [error, setError] = useState<string>()
  // It may have been switched off meanwhile.
  const id = choice.choices.some((one) => one.id === wanted) ? wanted : undefined
  return {
    ...choice,
    id,
    path: id === undefined ? undefined : reasonPath(choice.all, id),
    error,
    choose: (next) => {
      setWanted(next)
      setError(undefined)
    },
    isGiven: () => {
      const isMissing = choice.ask === 'required' && id === undefined
      if (isMissing) setError('Escolha o motivo')
      return !isMissing
    },
    fits: (conversation) => {
      const { ask, choices } = choice.of(conversation)
      return id === undefined ? ask !== 'required' : choices.some((one) => one.id === id)
    },
    takeRefusal: (refusal) => {
      if (!(refusal instanceof ApiError) || !refusal.code?.startsWith('reasons.')) return false
      setError(refusal.message)
      void client.invalidateQueries({ queryKey: reasonQueries.known().queryKey })
      return true
    },
  }
}
