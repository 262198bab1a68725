import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations.ts'
import { roleLabels } from '#shared/text.ts'
import { userQueries } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { fieldLook } from '#web/ui/field-look.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { useLeaveChat, useTransfer } from '../acts.ts'

/** Hands the conversation to a colleague, with a note that only the team sees. */
export function TransferDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation
  onClose: () => void
}) {
  const [receiver, setReceiver] = useState<string>()
  const [note, setNote] = useState('')
  const { mutate, isPending } = useTransfer(conversation)
  const leave = useLeaveChat(conversation.id)
  const transfer = () => {
    if (receiver === undefined) return
    mutate(
      { newOperatorId: Number(receiver), note },
      {
        onSuccess: () => {
          toast({ tone: 'success', title: 'Conversa transferida!' })
          onClose()
          leave()
        },
        onError: ({ message }) =>
          toast({ tone: 'error', title: `Erro ao transferir conversa: ${message || 'Tente novamente'}` }),
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Transferir conversa"
      description={conversation.contact.name}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            icon={ArrowRightLeft}
            disabled={receiver === undefined}
            isBusy={isPending}
            busyLabel="Transferindo..."
            onClick={transfer}
          >
            Transferir
          </Button>
        </>
      }
    >
      <Receivers holderId={conversation.assignedUserId} chosen={receiver} onChoose={setReceiver} />
      <Field label="Nota para a equipe" hint="O cliente não vê a nota.">
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            className={fieldLook('lines')}
          />
        )}
      </Field>
    </Dialog>
  )
}

/** More than these are searched. */
const manyOperators = 8

function Receivers({
  holderId,
  chosen,
  onChoose,
}: {
  holderId: number | null
  chosen: string | undefined
  onChoose: (id: string) => void
}) {
  const { data, isError, refetch } = useQuery({ ...userQueries.operators(), staleTime: 0 })
  const [search, setSearch] = useState('')
  if (!data && isError)
    return (
      <ErrorState description="Não foi possível carregar os operadores." onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton className="h-44" />
  const others = data.filter(({ id }) => id !== holderId)
  const words = search.trim().toLocaleLowerCase('pt-BR')
  const shown = others.filter(({ name }) => name.toLocaleLowerCase('pt-BR').includes(words))
  return (
    <div className="grid gap-2">
      {others.length > manyOperators && (
        <SearchField value={search} onChange={setSearch} placeholder="Buscar operador..." />
      )}
      {shown.length === 0 && <EmptyState title="Nenhum operador encontrado" />}
      <RadioGroup.Root
        aria-label="Para quem"
        value={chosen ?? ''}
        onValueChange={onChoose}
        className="grid max-h-64 gap-0.5 overflow-y-auto"
      >
        {shown.map(({ id, name, role, isOnline, activeConversations }) => (
          <RadioGroup.Item
            key={id}
            value={String(id)}
            className="flex min-h-12 items-center gap-2.5 rounded-control px-2 text-left hover:bg-hover data-[state=checked]:bg-selected"
          >
            <Avatar name={name} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-medium" title={name} dir="auto">
                {name}
              </span>
              <span className="block truncate text-xs text-ink-2">{roleLabels[role]}</span>
            </span>
            <span className="flex-none text-right text-xs text-ink-2">
              <span className="flex items-center justify-end gap-1.5">
                <span
                  aria-hidden
                  className={`size-2 rounded-full ${isOnline ? 'bg-green' : 'bg-line-strong'}`}
                />
                {isOnline ? 'Online' : 'Offline'}
              </span>
              <span className="block tabular-nums">{loadOf(activeConversations)}</span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  )
}

const loadOf = (count: number) =>
  count === 0 ? 'sem conversas' : count === 1 ? '1 conversa' : `${count} conversas`
