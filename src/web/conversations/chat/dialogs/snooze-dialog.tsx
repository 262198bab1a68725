import { useQuery } from '@tanstack/react-query'
import { CirclePause } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { type Ref, useEffect, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { listSnoozeTimes, snoozeTimeLabels } from '#shared/conversations/snooze.ts'
import { call } from '#web/platform/api/api.ts'
import { dayKey, serverNow, useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/users.tsx'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { composedNow } from '#web/conversations/sends/sends.ts'
import { useSendMessage } from '#web/conversations/sends/send-mutations.ts'
import { instantOf } from '#web/conversations/scheduled/times/times.ts'
import { dayAndTime } from '#web/conversations/snoozing/return-text.ts'
import { useSnooze } from '#web/conversations/snoozing/snooze-mutations.ts'
import { NewerMessage, useSeenMessage } from './seen-message.tsx'

const own = 'own'

/** 'Lembrar': until when a conversation is on hold, and why; and what is told to the client, if anything. */
export function SnoozeDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { id, contact, snoozedUntil } = conversation
  const now = useNow(30_000)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['snooze-times', id],
    queryFn: ({ signal }) => call(listSnoozeTimes, { params: { id }, signal }),
    gcTime: 0,
    // Those that count from now go on.
    refetchInterval: 60_000,
  })
  const [chosen, setChosen] = useState<string>()
  const [day, setDay] = useState(() => dayKey(serverNow() + 86_400_000))
  const [time, setTime] = useState('09:00')
  const [reason, setReason] = useState(conversation.snoozeReason ?? '')
  const [text, setText] = useState('')
  const { until, problem } = untilOf({ chosen, day, time }, data, now)
  const seen = useSeenMessage(conversation)
  // Whoever closes it wants nothing of it any more.
  const [asking] = useState(() => new AbortController())
  const close = () => {
    asking.abort()
    onClose()
  }
  const discard = useDiscard(text.trim() !== '', close)
  const { mutateAsync, isPending } = useSnooze(conversation)
  const tell = useTell(id)
  const first = useRef<HTMLButtonElement>(null)
  const hasTimes = data !== undefined
  useEffect(() => {
    if (hasTimes) first.current?.focus()
  }, [hasTimes])
  const confirm = () => {
    if (until === undefined || isPending) return
    const body = { until, reason, ...(seen.id !== undefined && { seenMessageId: seen.id }) }
    mutateAsync({ ...body, signal: asking.signal }).then(
      () => {
        if (asking.signal.aborted) return
        if (text.trim() !== '') tell(text.trim())
        toast({ tone: 'success', title: `Em espera até ${dayAndTime(until, serverNow())}` })
        onClose()
      },
      async (refusal: Error) => {
        if (asking.signal.aborted || (await seen.takeNewer(refusal))) return
        toastRefusal('Erro ao deixar a conversa em espera', refusal)
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title={snoozedUntil === undefined ? 'Lembrar' : 'Mudar a espera'}
      description={contact.name}
      footer={
        <>
          <Button onClick={discard.close}>Cancelar</Button>
          <Button
            variant="primary"
            icon={CirclePause}
            disabled={until === undefined || discard.isAsked}
            isBusy={isPending}
            busyLabel="Guardando..."
            onClick={confirm}
          >
            {until === undefined ? 'Lembrar' : `Lembrar ${dayAndTime(until, now)}`}
          </Button>
        </>
      }
    >
      {error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <form
          className="grid gap-3.5"
          onSubmit={(event) => {
            event.preventDefault()
            confirm()
          }}
        >
          <RadioGroup.Root
            aria-label="Quando"
            value={chosen ?? ''}
            onValueChange={setChosen}
            // As high as the usual four, until they have come.
            className="grid min-h-[188px] content-start gap-0.5 py-0.5 max-md:min-h-[228px]"
          >
            {data?.times.map(({ name, at, isMoved }, place) => (
              <Choice
                key={name}
                value={name}
                label={snoozeTimeLabels[name]}
                says={isMoved ? `fechado a essa hora: ${dayAndTime(at, now)}` : dayAndTime(at, now)}
                ref={place === 0 ? first : undefined}
                onEnter={() => (chosen === name ? confirm() : setChosen(name))}
              />
            ))}
            {data && (
              <Choice
                value={own}
                label="Outra data"
                says="dia e hora"
                onEnter={() => (chosen === own ? confirm() : setChosen(own))}
              />
            )}
          </RadioGroup.Root>
          {chosen === own && (
            <div className="grid grid-cols-2 gap-2.5">
              <Field label="Dia" error={problem}>
                {(control) => (
                  <Input
                    {...control}
                    type="date"
                    value={day}
                    min={dayKey(now)}
                    onChange={(event) => setDay(event.target.value)}
                  />
                )}
              </Field>
              <Field label="Hora">
                {(control) => (
                  <Input
                    {...control}
                    type="time"
                    value={time}
                    onChange={(event) => setTime(event.target.value)}
                  />
                )}
              </Field>
            </div>
          )}
          <Field label="Motivo" hint="Só a equipe vê. Volta como lembrete.">
            {(control) => (
              <Input
                {...control}
                maxLength={200}
                value={reason}
                placeholder="Esperando a diretoria"
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          <Field label="Mensagem ao cliente (opcional)" hint="É enviada agora.">
            {(control) => (
              <textarea
                {...control}
                rows={2}
                maxLength={4000}
                value={text}
                onChange={(event) => setText(event.target.value)}
                className={fieldLook('lines')}
              />
            )}
          </Field>
          <NewerMessage newer={seen.newer} />
          <p className="text-xs text-ink-3">
            A conversa sai da sua lista e volta no horário, ou assim que o cliente escrever.
          </p>
        </form>
      )}
      {discard.question}
    </Dialog>
  )
}

function Choice({
  value,
  label,
  says,
  ref,
  onEnter,
}: {
  value: string
  label: string
  says: string
  ref?: Ref<HTMLButtonElement> | undefined
  onEnter: () => void
}) {
  return (
    <RadioGroup.Item
      ref={ref}
      value={value}
      onKeyDown={({ key }) => key === 'Enter' && onEnter()}
      className={[
        'flex min-h-9 items-center gap-2.5 rounded-control px-2 text-left text-sm',
        'hover:bg-hover data-[state=checked]:bg-selected max-md:min-h-11',
      ].join(' ')}
    >
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <span className="flex-none text-xs text-ink-2 tabular-nums">{says}</span>
    </RadioGroup.Item>
  )
}

interface Chosen {
  chosen: string | undefined
  day: string
  time: string
}

/** The time that is chosen; of one's own also why it can be none. */
function untilOf(
  { chosen, day, time }: Chosen,
  offered: { times: { name: string; at: string }[] } | undefined,
  nowMs: number,
): { until?: string; problem?: string } {
  const at = offered?.times.find(({ name }) => name === chosen)?.at
  if (at !== undefined) return Date.parse(at) > nowMs ? { until: at } : {}
  if (!offered || chosen !== own) return {}
  const until = instantOf(day, time)
  if (until === undefined) return { problem: 'Escolha o dia e a hora.' }
  if (Date.parse(until) <= nowMs) return { problem: 'Escolha um horário no futuro.' }
  return { until }
}

/** Sends a text to the client, like one from the composer. */
function useTell(conversationId: number): (content: string) => void {
  const { id: userId, name: userName } = useMe()
  const send = useSendMessage({ conversationId })
  return (content) =>
    send({
      userId,
      userName,
      conversationId,
      clientMessageId: newClientMessageId(),
      content,
      quoted: null,
      composedAtMs: composedNow(serverNow()),
    })
}
