import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type Contact, type ContactCard, updateContact } from '#shared/contacts/contacts.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { createEmitter } from '#web/platform/emitter.ts'
import { contactQueries } from './queries.ts'

type ContactPatch = Omit<z.input<NonNullable<(typeof updateContact)['body']>>, 'updatedAt'>

/** The change to apply to the current contact; undefined when a colleague's change must be seen first. */
type PatchOf = (contact: Contact) => ContactPatch | undefined

/** A colleague has changed the same field meanwhile: nothing was stored. */
export class ContactConflict extends Error {
  override readonly name = 'ContactConflict'
}

const changes = createEmitter<ContactCard>()
/** Notifies of every change of a contact made in this tab: other rooms show its card. */
export const onContactChanged = changes.on

const mostTries = 4

/**
 * Changes a contact based on its current version. After a conflict the contact is fetched again and the
 * change is computed again.
 * @throws ContactConflict when the change no longer applies, and as `call`
 */
async function saveContact(client: QueryClient, id: number, patchOf: PatchOf): Promise<Contact> {
  const one = contactQueries.one(id)
  let known = client.getQueryData(one.queryKey) ?? (await client.fetchQuery(one))
  for (let tries = 1; ; tries++) {
    const patch = patchOf(known)
    if (!patch) throw new ContactConflict()
    try {
      const { updatedAt } = known
      return await call(updateContact, { params: { id }, body: { ...patch, updatedAt } })
    } catch (error) {
      const isChanged = error instanceof ApiError && error.code === 'contacts.changed'
      if (!isChanged || tries === mostTries) throw error
      known = await client.fetchQuery({ ...one, staleTime: 0 })
    }
  }
}

/** Changes of one contact are sent one after another. */
export function useSaveContact(id: number) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `contact-${id}` },
    mutationFn: (patchOf: PatchOf) => saveContact(client, id, patchOf),
    onSuccess: (contact) => showContact(client, contact),
  })
}

/** Shows the answer of a change, unless a colleague's later one has been fetched before it came. */
function showContact(client: QueryClient, contact: Contact): void {
  const { queryKey } = contactQueries.one(contact.id)
  // A request that is under way may return without this change, or with a colleague's later one.
  const isFetching = client.isFetching({ queryKey }) > 0
  void client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, (known) =>
    known && Date.parse(known.updatedAt) > Date.parse(contact.updatedAt) ? known : contact,
  )
  if (isFetching) void client.invalidateQueries({ queryKey })
  changes.emit(contact)
}

/** The company alone: the last writer wins, without waiting for the rest of the contact. */
export function useChooseCompany(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: ['contact-company', id],
    scope: { id: `contact-${id}` },
    mutationFn: (company: ContactCard['company']) =>
      call(updateContact, { params: { id }, body: { companyId: company?.id ?? null } }),
    onSuccess: (contact) => showContact(client, contact),
  })
}
