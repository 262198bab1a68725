import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { contactByPhone, type ContactCard, contactCard } from '#shared/contacts/contacts.ts'
import { startConversation } from '#shared/conversations/conversation-endpoints.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { refused } from './toast-saved.ts'

/** Opens the chat with a contact or a phone number: the open conversation, or a new one. */
export function useStartChat() {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (who: { contactId: number } | { phone: string; name: string }) => {
      const id = 'contactId' in who ? who.contactId : (await call(contactByPhone, { body: who })).id
      const started = await call(startConversation, { params: { id } })
      return { ...started, isOfSeveral: started.conversationId === null && (await hasSeveral(client)) }
    },
    onSuccess: ({ conversationId, contact, instanceId, isOfSeveral }) => {
      if (conversationId === null) {
        keepPendingContact(contact)
        navigate(newChatAddress(contact.id, isOfSeveral ? instanceId : null))
        return
      }
      toast({ title: 'Conversa encontrada', description: 'Redirecionando para conversa existente' })
      navigate(`/chat?conversation=${conversationId}`)
    },
    onError: refused('Erro ao iniciar conversa'),
  })
}

/** A chat that its first message creates, by this number; null: by the only one. */
export function newChatAddress(contactId: number, instanceId: number | null): string {
  const address = `/chat?contact=${contactId}&pendingCreation=true`
  return instanceId === null ? address : `${address}&numero=${instanceId}`
}

/** Whether the number is shown, and can be chosen; a failure only means that it is not. */
async function hasSeveral(client: QueryClient): Promise<boolean> {
  const numbers = await client.ensureQueryData(numbersQuery()).catch(() => [])
  return numbers.filter(({ isDeleted }) => !isDeleted).length > 1
}

const pendingKey = 'balcao:pending-contact'

/**
 * Remembers the contact of a new chat, so that the chat can show it at once.
 * @see specification §3 Client-stored values
 */
function keepPendingContact(contact: ContactCard): void {
  try {
    sessionStorage.setItem(pendingKey, JSON.stringify(contact))
  } catch (error) {
    // The chat then asks the server.
    console.warn('The contact could not be kept', error)
  }
}

export function pendingContact(id: number): ContactCard | undefined {
  try {
    const kept = contactCard.safeParse(JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null'))
    return kept.success && kept.data.id === id ? kept.data : undefined
  } catch (error) {
    console.warn('The kept contact could not be read', error)
    return undefined
  }
}
