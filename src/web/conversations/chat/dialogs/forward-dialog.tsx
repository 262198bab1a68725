import { useQueryClient } from '@tanstack/react-query'
import { Forward } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Message } from '#shared/messages/messages.ts'
import { forwardMessage } from '#shared/messages/message-endpoints.ts'
import { unknownContact } from '#shared/text/text.ts'
import { call } from '#web/platform/api/api.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { patchConversation, patchMessage } from '#web/conversations/cache/live-patches.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { type ForwardTo, useForwardNumber } from './forward-number.ts'
import { type ForwardReceiver, useForwardReceivers } from './forward-receivers.ts'

/** Sends the content of a message to another chat. */
export function ForwardDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ForwardReceiver>()
  const { receivers, isSearching, trouble } = useForwardReceivers(search)
  const choice = useForwardNumber(chosen)
  const { send, isPending } = useForward(message, onClose)
  // Whoever was chosen stays in sight, also when the search has gone on.
  const shown =
    chosen && !receivers.some(({ key }) => key === chosen.key) ? [chosen, ...receivers] : receivers
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Encaminhar mensagem"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            icon={Forward}
            disabled={chosen === undefined}
            isBusy={isPending}
            busyLabel="Encaminhando..."
            onClick={() => chosen && send(chosen, choice.to(chosen))}
          >
            Encaminhar
          </Button>
        </>
      }
    >
      <blockquote
        className={[
          'line-clamp-3 border-l-[3px] border-line-strong',
          'pl-2.5 text-sm [overflow-wrap:anywhere] text-ink-2',
        ].join(' ')}
        dir="auto"
      >
        <MessagePreview message={message} />
      </blockquote>
      <SearchField
        value={search}
        onChange={setSearch}
        maxLength={200}
        placeholder="Buscar por nome ou telefone..."
      />
      <div className="h-64 overflow-y-auto">
        {shown.length === 0 && <EmptyState title={isSearching ? 'Buscando...' : 'Ninguém encontrado'} />}
        <RadioGroup.Root
          aria-label="Para quem"
          value={chosen?.key ?? ''}
          onValueChange={(key) => setChosen(shown.find((each) => each.key === key))}
          className="grid grid-cols-[minmax(0,1fr)] gap-0.5"
        >
          {shown.map((receiver) => (
            <Receiver key={receiver.key} receiver={receiver} />
          ))}
        </RadioGroup.Root>
      </div>
      {chosen && choice.options.length > 1 && (
        <div className="flex items-center gap-2 text-sm">
          <span aria-hidden className="flex-none text-ink-2">
            Pelo número
          </span>
          <Select
            aria-label="Pelo número"
            fieldSize="bar"
            className="min-w-0 flex-1"
            value={choice.value}
            onChange={choice.choose}
            options={choice.options}
          />
        </div>
      )}
      {trouble && (
        <p role="status" className="text-xs text-red-text">
          {trouble}
        </p>
      )}
    </Dialog>
  )
}

function Receiver({ receiver: { key, card, detail } }: { receiver: ForwardReceiver }) {
  const name = card.name || unknownContact
  return (
    <RadioGroup.Item
      value={key}
      className={[
        'flex min-h-12 items-center gap-2.5 rounded-control px-2 -outline-offset-2',
        'text-left hover:bg-hover data-[state=checked]:bg-selected',
      ].join(' ')}
    >
      <Avatar name={name} src={card.avatarUrl} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium" title={name} dir="auto">
          {name}
        </span>
        <span className="block truncate text-xs text-ink-2 tabular-nums">{detail}</span>
      </span>
    </RadioGroup.Item>
  )
}

function useForward(message: Message, onClose: () => void) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  // The same for every attempt, so that a call whose answer was lost is not made twice.
  const [clientMessageId] = useState(newClientMessageId)
  const [isPending, setPending] = useState(false)
  const send = async ({ card }: ForwardReceiver, to: ForwardTo) => {
    setPending(true)
    try {
      const { conversation, message: sent } = await call(forwardMessage, {
        params: { id: message.conversationId, messageId: message.id },
        body: { to, clientMessageId },
        signal: AbortSignal.timeout(60_000),
      })
      patchMessage(client, sent)
      patchConversation(client, conversation.id, conversation)
      toast({
        tone: 'success',
        title: 'Mensagem encaminhada',
        description: card.name || unknownContact,
        ...(conversation.id !== message.conversationId && {
          action: {
            label: 'Abrir conversa',
            onClick: () => navigate(`/chat?conversation=${conversation.id}`),
          },
        }),
      })
      onClose()
    } catch (error) {
      const reason = error instanceof Error ? error.message : ''
      toast({
        tone: 'error',
        title: 'Erro ao encaminhar mensagem',
        description: reason || 'Tente novamente.',
      })
      setPending(false)
    }
  }
  return { send: (receiver: ForwardReceiver, to: ForwardTo) => void send(receiver, to), isPending }
}
