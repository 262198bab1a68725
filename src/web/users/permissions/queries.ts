import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { updateUser } from '#shared/users/accounts.ts'
import type { Flags, Role } from '#shared/permissions.ts'
import {
  createUserPermission,
  listUserPermissions,
  updateUserPermission,
  type UserPermission,
} from '#shared/users/user-permissions.ts'
import { getPhonesSetting, type PhonesSetting, savePhonesSetting } from '#shared/users/phones-setting.ts'
import type { Scope } from '#shared/users/scope.ts'
import { getUserScope, saveUserScope } from '#shared/users/user-scope.ts'
import { call } from '#web/platform/api/api.ts'
import { accountQueries } from '#web/users/accounts/queries.ts'

export const permissionQueries = {
  /** What everybody may do. */
  list: () =>
    queryOptions({
      queryKey: ['user-permissions'],
      queryFn: ({ signal }) => call(listUserPermissions, { signal }),
    }),
}

/** Shows in the list what was saved of a person. */
const showSaved = (client: QueryClient, userId: number, saved: Partial<UserPermission>) =>
  client.setQueryData(permissionQueries.list().queryKey, (rows) =>
    rows?.map((row) => (row.userId === userId ? { ...row, ...saved } : row)),
  )

export const scopeQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user-permissions', 'scope', userId],
    queryFn: ({ signal }) => call(getUserScope, { params: { userId }, signal }),
    staleTime: 0,
  })

/** Says of which conversations a person knows, from now on. */
export function useSaveScope(userId: number) {
  const client = useQueryClient()
  return useMutation({
    scope: scopeOf(userId),
    mutationFn: (scope: Scope) => call(saveUserScope, { params: { userId }, body: { scope } }),
    onSuccess: (saved) => {
      client.setQueryData(scopeQuery(userId).queryKey, saved)
      showSaved(client, userId, { scope: saved.scope })
    },
  })
}

export const phonesQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user-permissions', 'phones', userId],
    queryFn: ({ signal }) => call(getPhonesSetting, { params: { userId }, signal }),
    staleTime: 0,
  })

/** Says whether clients' telephone numbers are hidden from a person, from now on. */
export function useSavePhones(userId: number) {
  const client = useQueryClient()
  return useMutation({
    scope: scopeOf(userId),
    mutationFn: (body: Omit<PhonesSetting, 'userId'>) =>
      call(savePhonesSetting, { params: { userId }, body }),
    onSuccess: (saved) => {
      client.setQueryData(phonesQuery(userId).queryKey, saved)
      showSaved(client, userId, { hidesPhones: saved.hidesPhones })
    },
  })
}

/** Changes of what a person may do are made one after the other. */
const scopeOf = (userId: number) => ({ id: `permissions ${userId}` })

/** Saves some flags of a person, who gets a record with the first of them. They are shown at once. */
export function useSaveFlags(userId: number) {
  const client = useQueryClient()
  const { queryKey } = permissionQueries.list()
  const change = (changed: (row: UserPermission) => UserPermission) =>
    client.setQueryData(queryKey, (rows) => rows?.map((row) => (row.userId === userId ? changed(row) : row)))
  const isCustom = () =>
    client.getQueryData(queryKey)?.find((row) => row.userId === userId)?.createdAt !== null
  const mutationKey = ['permissions', userId]
  return useMutation({
    mutationKey,
    // The first makes the record that the next one changes.
    scope: scopeOf(userId),
    mutationFn: (flags: Partial<Flags>) =>
      isCustom()
        ? call(updateUserPermission, { params: { userId }, body: flags })
        : call(createUserPermission, { body: { userId, flags } }),
    onMutate: async (flags) => {
      await client.cancelQueries({ queryKey })
      change((row) => ({ ...row, flags: { ...row.flags, ...flags } }))
    },
    onSuccess: (saved) => {
      const isLast = client.isMutating({ mutationKey }) === 1
      change((row) => (isLast ? saved : { ...row, createdAt: saved.createdAt }))
    },
    onError: () => client.invalidateQueries({ queryKey }),
  })
}

/** Gives a person another role, and with it that role's permissions. */
export function useChangeRole(id: number) {
  const client = useQueryClient()
  return useMutation({
    // Flags that come after it would be those of the role before.
    scope: scopeOf(id),
    mutationFn: (role: Role) => call(updateUser, { params: { id }, body: { role } }),
    onSettled: () =>
      Promise.all(
        [permissionQueries.list(), accountQueries.list()].map(({ queryKey }) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
