import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  endOtherSessions,
  endOwnSession,
  endSessionsOf,
  getSecondFactor,
  getSecondFactorDuties,
  listOwnSessions,
  listSessionsOf,
  ratePassword,
  removePicture,
  resetSecondFactor,
  setPicture,
  setSecondFactorDuties,
  updateProfile,
} from '#shared/users/profile.ts'
import type { Role } from '#shared/permissions.ts'
import { call, upload } from '#web/platform/api/api.ts'
import { accountQueries } from '#web/users/accounts/queries.ts'
import { userQueries } from '#web/users/queries.ts'

export const profileQueries = {
  sessions: () =>
    queryOptions({
      queryKey: ['profile', 'sessions'],
      queryFn: ({ signal }) => call(listOwnSessions, { signal }),
    }),
  secondFactor: () =>
    queryOptions({
      queryKey: ['profile', 'second-factor'],
      queryFn: ({ signal }) => call(getSecondFactor, { signal }),
    }),
  /** @param known of the person; absent: of the user */
  strength: (password: string, known: readonly string[] | undefined) =>
    queryOptions({
      queryKey: ['profile', 'strength', password, known],
      queryFn: ({ signal }) =>
        call(ratePassword, { body: { password, ...(known && { known: [...known] }) }, signal }),
      staleTime: Infinity,
      // No password stays in memory longer than it is shown.
      gcTime: 0,
      retry: false,
      refetchOnReconnect: false,
    }),
  /** Of somebody else. */
  sessionsOf: (id: number) =>
    queryOptions({
      queryKey: ['accounts', id, 'sessions'],
      queryFn: ({ signal }) => call(listSessionsOf, { params: { id }, signal }),
    }),
  duties: () =>
    queryOptions({
      queryKey: ['second-factor-duties'],
      queryFn: ({ signal }) => call(getSecondFactorDuties, { signal }),
    }),
}

type ProfileChange = z.input<NonNullable<typeof updateProfile.body>>

export function useSaveProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ProfileChange) => call(updateProfile, { body }),
    onSuccess: ({ user }) => {
      client.setQueryData(userQueries.me().queryKey, user)
      void client.invalidateQueries({ queryKey: userQueries.operators().queryKey })
      void client.invalidateQueries({ queryKey: ['profile'] })
    },
  })
}

/** Sets the picture, or removes it. */
export function useSavePicture() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (picture: Blob | undefined) => {
      if (!picture) return call(removePicture)
      const form = new FormData()
      form.append('file', picture, 'foto.jpg')
      const signal = AbortSignal.timeout(60_000)
      await upload(setPicture, form, { signal, onProgress: () => undefined })
      return undefined
    },
    onSuccess: () => client.invalidateQueries({ queryKey: userQueries.me().queryKey }),
  })
}

/** Ends one of the own sessions; without an id all others. */
export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: number | undefined) => {
      if (id === undefined) await call(endOtherSessions)
      else await call(endOwnSession, { params: { id } })
    },
    onSettled: () => client.invalidateQueries({ queryKey: profileQueries.sessions().queryKey }),
  })
}

/** Shows what the second factor is now. */
export function useSecondFactorChanged() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: profileQueries.secondFactor().queryKey })
    void client.invalidateQueries({ queryKey: userQueries.me().queryKey })
  }
}

/** Ends the sessions of somebody else, or switches their second factor off. */
export function useAccountSecurity(id: number) {
  const client = useQueryClient()
  const onSettled = () => {
    void client.invalidateQueries({ queryKey: profileQueries.sessionsOf(id).queryKey })
    void client.invalidateQueries({ queryKey: accountQueries.list().queryKey })
  }
  return {
    end: useMutation({ mutationFn: () => call(endSessionsOf, { params: { id } }), onSettled }),
    reset: useMutation({ mutationFn: () => call(resetSecondFactor, { params: { id } }), onSettled }),
  }
}

export function useSaveDuties() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (roles: Role[]) => call(setSecondFactorDuties, { body: { roles } }),
    onSuccess: (saved) => client.setQueryData(profileQueries.duties().queryKey, saved),
  })
}
