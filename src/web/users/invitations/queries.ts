import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  createInvitation,
  type Invitation,
  listInvitations,
  sendInvitation,
  withdrawInvitation,
} from '#shared/users/invitations.ts'
import { call } from '#web/platform/api/api.ts'

export const invitationsQuery = () =>
  queryOptions({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => call(listInvitations, { signal }),
    // No event reports that somebody joined, so the list is polled while somebody is expected.
    refetchInterval: ({ state: { data } }) => (data && data.length > 0 ? 15_000 : false),
  })

type InvitationForm = z.input<NonNullable<typeof createInvitation.body>>

/** Shows a new or changed invitation, or that one is gone. */
function useShown() {
  const client = useQueryClient()
  return (id: number, now: Invitation | undefined) => {
    client.setQueryData(invitationsQuery().queryKey, (rows) => {
      const others = rows?.filter((row) => row.id !== id) ?? []
      return now ? [now, ...others].toSorted((one, other) => other.id - one.id) : others
    })
    void client.invalidateQueries({ queryKey: invitationsQuery().queryKey })
  }
}

export function useInvite() {
  const show = useShown()
  return useMutation({
    mutationFn: (body: InvitationForm) => call(createInvitation, { body }),
    onSuccess: ({ invitation }) => show(invitation.id, invitation),
  })
}

export function useWithdraw() {
  const show = useShown()
  return useMutation({
    mutationFn: (id: number) => call(withdrawInvitation, { params: { id } }),
    onSuccess: (_nothing, id) => show(id, undefined),
  })
}

export function useSendInvitation(id: number) {
  const show = useShown()
  return useMutation({
    mutationFn: (body: { token: string; phone: string; instanceId?: number }) =>
      call(sendInvitation, { params: { id }, body }),
    onSuccess: (invitation) => show(id, invitation),
  })
}
