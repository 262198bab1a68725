import { useQuery } from '@tanstack/react-query'
import type { Reason } from '#shared/reasons/reasons.ts'
import { type AutomaticEnd, automaticReasons, noReason } from '#shared/text/conversations/reason-texts.ts'
import { reasonPath } from './reason-path.ts'
import { reasonQueries } from './queries.ts'

export interface Reasons {
  all: readonly Reason[]
  /** Whether there is any: without, nothing of reasons is shown. */
  areAny: boolean
  /** Why a conversation ended, in words. */
  textOf: (ended: { finishReasonId?: number | null | undefined; automaticEnd: AutomaticEnd | null }) => string
}

export function useReasons(): Reasons {
  return useQuery({ ...reasonQueries.known(), select: ({ reasons }) => reasonsOf(reasons) }).data ?? notKnown
}

const reasonsOf = (all: readonly Reason[]): Reasons => ({
  all,
  areAny: all.length > 0,
  textOf: ({ finishReasonId, automaticEnd }) =>
    reasonPath(all, finishReasonId ?? null) ??
    (automaticEnd === null ? noReason : automaticReasons[automaticEnd]),
})

const notKnown = reasonsOf([])
