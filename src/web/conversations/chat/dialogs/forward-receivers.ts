import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ContactCard } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { hiddenNumber } from '#shared/text/text.ts'
import { contactQueries } from '#web/contacts/contacts.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { useWholePhone } from '#web/platform/whole-phone.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { searchedBy } from '#shared/conversations/list/searched-by.ts'

/** Whom a message can be forwarded to. */
export interface ForwardReceiver {
  /** Unique among them. */
  key: string
  contactId: number
  /** Their open conversation, and the number that it goes by. */
  open?: { id: number; instanceId: number }
  card: Pick<ContactCard, 'name' | 'avatarUrl'>
  /** Phone number, and who attends. */
  detail: string
}

/** How many of each kind are shown. */
const most = 20
/** A single letter matches half of the contacts. */
const leastLength = 2

/**
 * The open conversations that the search matches, the person's own first, and then contacts without one, with
 * whom the message begins a conversation.
 */
export function useForwardReceivers(search: string): {
  receivers: ForwardReceiver[]
  isSearching: boolean
  /** In Portuguese, when contacts could not be searched. */
  trouble: string | undefined
} {
  const words = search.trim()
  const phone = useWholePhone(words)
  const { id: userId } = useMe()
  const { nameOf } = useNumbers()
  const { data: open = [] } = useQuery(conversationQueries.open())
  const mayBegin = useCan('startConversation')
  const enabled = mayBegin && words.length >= leastLength
  const {
    data: contacts = [],
    isFetching,
    isError,
    isPlaceholderData,
  } = useQuery({
    ...contactQueries.found(words, most),
    enabled,
  })
  const conversations = useMemo(() => {
    const found = open.filter(searchedBy(words, phone))
    const isMine = (row: Conversation) => row.assignedUserId === userId
    return [...found.filter(isMine), ...found.filter((row) => !isMine(row))].slice(0, most)
  }, [open, words, phone, userId])
  const attended = useMemo(() => new Set(open.map(({ contactId }) => contactId)), [open])
  const isSearched = searchedBy(words, phone)
  const others = contacts.filter(
    (contact) =>
      enabled &&
      !attended.has(contact.id) &&
      !contact.isBlocked &&
      // Until the response arrives they are those of the search before.
      (!isPlaceholderData || isSearched({ contact })),
  )
  return {
    receivers: [
      ...conversations.map(({ id, contactId, instanceId, contact, assignedUser }) => ({
        key: `conversation ${id}`,
        contactId,
        open: { id, instanceId },
        card: contact,
        detail: [
          phoneOf(contact),
          assignedUser ? `com ${assignedUser.name}` : 'na fila',
          ...(nameOf(instanceId) === undefined ? [] : [`por ${nameOf(instanceId)}`]),
        ].join(' · '),
      })),
      ...others.map((contact) => ({
        key: `contact ${contact.id}`,
        contactId: contact.id,
        card: contact,
        detail: `${phoneOf(contact)} · nova conversa`,
      })),
    ],
    isSearching: enabled && isFetching,
    trouble: enabled && isError ? 'Não foi possível buscar os contatos.' : undefined,
  }
}

const phoneOf = ({ phone }: { phone: string | null }) => (phone ? formatPhone(phone) : hiddenNumber)
