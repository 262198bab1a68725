import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askFor } from '#shared/reasons/reason-choices.ts'
import type { AskReason } from '#shared/settings/ask-reason.ts'
import { type Tag, tagsFor } from '#shared/tags/tags.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { tagQueries, useKnownTags } from './queries.ts'

/** What decides about the tags of a conversation. */
interface Place {
  instanceId: number
  sectorId: number | null
  tagIds?: readonly number[] | undefined
}

/** The tags that are given to conversations that end, and what is wrong with them. */
export interface TagChoice {
  /** 'no' also where there is nothing to choose, or as long as that is not known. */
  ask: AskReason
  /** What may be put on any of them, and not all of them have. */
  choices: readonly Tag[]
  ids: readonly number[]
  error: string | undefined
  toggle: (id: number) => void
  /** Whether a conversation has one or gets one where one is needed. */
  fits: (conversation: Place) => boolean
  /** Whether one of the conversations fits; otherwise the dialog says so from then on. */
  isGiven: () => boolean
  /** @returns whether the server has refused the tags, which is shown at their field */
  takeRefusal: (error: Error) => boolean
}

/** @param before chosen at first */
export function useTagChoice(conversations: readonly Place[], before: readonly number[] = []): TagChoice {
  const client = useQueryClient()
  const data = useKnownTags()
  const [wanted, setWanted] = useState(before)
  const [error, setError] = useState<string>()
  const offeredTo = (place: Place) => (data ? tagsFor(data.tags, place.sectorId) : [])
  const askOf = (place: Place): AskReason =>
    data && offeredTo(place).length > 0 ? askFor(data, place) : 'no'
  const asked = conversations.filter((place) => askOf(place) !== 'no')
  const offered = new Set(
    asked.flatMap((place) => offeredTo(place).filter(({ id }) => !place.tagIds?.includes(id))),
  )
  const choices = (data?.tags ?? []).filter((one) => offered.has(one))
  // One may have been switched off meanwhile.
  const ids = wanted.filter((id) => choices.some((one) => one.id === id))
  const needs = (place: Place) => askOf(place) === 'required' && (place.tagIds ?? []).length === 0
  const fits = (place: Place) => !needs(place) || offeredTo(place).some((one) => ids.includes(one.id))
  return {
    ask: asked.some(needs) ? 'required' : asked.length > 0 ? 'optional' : 'no',
    choices,
    ids,
    error,
    toggle: (id) => {
      setWanted(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id])
      setError(undefined)
    },
    fits,
    isGiven: () => {
      const isMissing = !conversations.some(fits)
      if (isMissing) setError('Ponha uma etiqueta')
      return !isMissing
    },
    takeRefusal: (refusal) => {
      if (!(refusal instanceof ApiError) || !refusal.code?.startsWith('tags.')) return false
      setError(refusal.message)
      void client.invalidateQueries({ queryKey: tagQueries.known().queryKey })
      return true
    },
  }
}
