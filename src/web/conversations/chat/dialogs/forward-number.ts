import { useState } from 'react'
import { useNumbers } from '#web/numbers/numbers.tsx'
import type { SelectOption } from '#web/ui/fields/select.tsx'
import { useCan } from '#web/users/users.tsx'
import type { ForwardReceiver } from './forward-receivers.ts'

export type ForwardTo = { conversationId: number } | { contactId: number; instanceId?: number }

/** The server decides: by the number of the last conversation, else by the main one. */
const usual = 'usual'

/** By which number a message is forwarded to a receiver, for whoever has several. */
export function useForwardNumber(receiver: ForwardReceiver | undefined): {
  /** Fewer than two: there is nothing to choose. */
  options: readonly SelectOption[]
  value: string
  choose: (value: string) => void
  to: (receiver: ForwardReceiver) => ForwardTo
} {
  const { living } = useNumbers()
  const mayBegin = useCan('startConversation')
  const [chosen, setChosen] = useState<{ key: string; value: string }>()
  const own = receiver?.open && String(receiver.open.instanceId)
  const isOfReceiver = chosen !== undefined && chosen.key === receiver?.key
  const value = isOfReceiver ? chosen.value : (own ?? usual)
  const options = [
    ...(own === undefined ? [{ value: usual, label: 'O da última conversa, ou o principal' }] : []),
    ...living
      .filter(({ id, isActive }) => isActive || String(id) === own)
      .map(({ id, name, isActive, isConnected }) => ({
        value: String(id),
        label: name + (isActive ? (isConnected ? '' : ' · sem conexão') : ' · desativado'),
      })),
  ]
  return {
    options: living.length > 1 && mayBegin ? options : [],
    value,
    choose: (next) => receiver && setChosen({ key: receiver.key, value: next }),
    to({ open, contactId }) {
      if (open && value === String(open.instanceId)) return { conversationId: open.id }
      return value === usual ? { contactId } : { contactId, instanceId: Number(value) }
    },
  }
}
