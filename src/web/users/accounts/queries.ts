import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  type Account,
  type AccountChange,
  createUser,
  deleteUser,
  listUsers,
  toggleBlock,
  updateUser,
} from '#shared/users/accounts.ts'
import type * as z from 'zod/mini'
import { fold } from '#shared/text/fold.ts'
import { call } from '#web/platform/api/api.ts'
import { userQueries } from '#web/users/queries.ts'

export const accountQueries = {
  /** All accounts, by name. */
  list: () =>
    queryOptions({
      queryKey: ['accounts'],
      queryFn: ({ signal }) => call(listUsers, { signal }),
    }),
}

type NewAccount = z.input<NonNullable<typeof createUser.body>>

/** Shows a changed account, or that one is gone, and refetches what depends on it. */
function settle(client: QueryClient, id: number, account: Account | undefined): void {
  client.setQueryData(
    accountQueries.list().queryKey,
    (rows) => rows && (account ? withAccount(rows, account) : rows.filter((row) => row.id !== id)),
  )
  void client.invalidateQueries({ queryKey: accountQueries.list().queryKey })
  void client.invalidateQueries({ queryKey: userQueries.operators().queryKey })
}

/** A new one goes where the server will list it: a click would miss a row that moves a moment later. */
function withAccount(rows: readonly Account[], account: Account): Account[] {
  const index = rows.findIndex(({ id }) => id === account.id)
  if (index !== -1) return rows.with(index, account)
  const name = fold(account.name)
  const after = rows.findIndex((row) => fold(row.name) > name)
  return rows.toSpliced(after === -1 ? rows.length : after, 0, account)
}

/** Creates an account, or changes the one with the id. */
export function useSaveAccount(id: number | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: NewAccount | AccountChange) =>
      id === undefined
        ? call(createUser, { body: values as NewAccount })
        : call(updateUser, { params: { id }, body: values }),
    onSuccess: (account) => settle(client, account.id, account),
  })
}

export function useToggleBlock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(toggleBlock, { params: { id } }),
    onSuccess: (account) => settle(client, account.id, account),
  })
}

export function useDeleteAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteUser, { params: { id } }),
    onSuccess: (_done, id) => settle(client, id, undefined),
  })
}
