import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getMessageDetails, listMessageVersions } from '#shared/messages/message-endpoints.ts'
import type { Message } from '#shared/messages/messages.ts'
import { call } from '#web/platform/api/api.ts'
import { clockTime, dateTime } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { cut } from '#web/ui/cut.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { fileSize } from '#web/conversations/kinds/measures.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { deliveryLabel } from './delivery-mark.tsx'
import { authorName } from './message-author.tsx'

/** When a message was delivered and read, and its earlier texts; refetched after every change of it. */
const detailsQuery = ({ conversationId, id, version }: Message) =>
  queryOptions({
    queryKey: [...conversationQueries.all, 'details', id, version],
    queryFn: ({ signal }) =>
      call(getMessageDetails, { params: { id: conversationId, messageId: id }, signal }),
    placeholderData: keepPreviousData,
  })

/** Who sent a message, when, how far it got, and what it said before. */
export function MessageDetailsDialog({
  message: asked,
  contactName,
  onClose,
}: {
  message: Message
  contactName: string
  onClose: () => void
}) {
  const message = useCurrent(asked)
  const { data, isError, refetch } = useQuery(detailsQuery(message))
  const isOurs = message.senderType === 'user'
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Dados da mensagem"
      footer={<Button onClick={onClose}>Fechar</Button>}
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact name="De">{authorName(message, contactName)}</Fact>
        <Fact name="Tipo">{kindLabel(message.messageType, message.metadata) || 'Texto'}</Fact>
        {message.fileName !== null && <Fact name="Arquivo">{cut(message.fileName)}</Fact>}
        {message.fileSize !== null && <Fact name="Tamanho">{fileSize(message.fileSize)}</Fact>}
        <Fact name={isWaiting(message) ? 'Escrita' : 'Enviada'}>
          <At instant={message.sentAt} />
        </Fact>
        {!isOurs && (
          <Fact name="Chegou">
            <At instant={message.createdAt} />
          </Fact>
        )}
        {isOurs && message.deliveryStatus !== null && (
          <>
            <Fact name="Situação">{message.failureReason ?? deliveryLabel(message.deliveryStatus)}</Fact>
            <Later name="Entregue" isPending={!data && !isError} instant={data?.deliveredAt} />
            <Later name="Lida" isPending={!data && !isError} instant={data?.readAt} />
          </>
        )}
        {message.editedAt !== null && (
          <Fact name="Editada">
            <At instant={message.editedAt} />
          </Fact>
        )}
        {message.deletedAt !== null && (
          <Fact name="Apagada">
            <At instant={message.deletedAt} />
          </Fact>
        )}
      </dl>
      {isError && !data && (
        <ErrorState
          description="Não foi possível carregar os dados da mensagem."
          onRetry={() => void refetch()}
        />
      )}
      {data && data.versions.length > 0 && (
        <section>
          <h3 className="text-xs font-semibold text-ink-2">Antes da edição</h3>
          <ol className="mt-1.5 grid gap-2">
            {data.versions.map(({ content, replacedAt }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- earlier texts never move
              <li key={index} className="border-l-2 border-line pl-2 text-sm">
                <div dir="auto" className="[overflow-wrap:anywhere]">
                  <RichText text={content} />
                </div>
                <p className="text-xs text-ink-3">
                  até <At instant={replacedAt} />
                </p>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Dialog>
  )
}

/** What has not left yet was only written. */
function isWaiting({ deliveryStatus }: Message): boolean {
  return deliveryStatus === 'pending' || deliveryStatus === 'sending' || deliveryStatus === 'failed'
}

/** The message as it is by now: ticks and edits come while the dialog is open. */
function useCurrent(asked: Message): Message {
  const { data } = useInfiniteQuery({
    ...conversationQueries.messages(asked.conversationId),
    enabled: false,
  })
  return data?.pages.flat().find(({ id }) => id === asked.id) ?? asked
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]" dir="auto">
        {children}
      </dd>
    </>
  )
}

/** A time that has its place before it is known. */
function Later({
  name,
  isPending,
  instant,
}: {
  name: string
  isPending: boolean
  instant: string | null | undefined
}) {
  return (
    <Fact name={name}>
      {isPending ? <Skeleton className="h-4 w-32" /> : instant ? <At instant={instant} /> : '–'}
    </Fact>
  )
}

function At({ instant }: { instant: string }) {
  return <time dateTime={instant}>{dateTime(instant)}</time>
}

/** The earlier texts of an edited message; refetched after every edit. */
const versionsQuery = ({ conversationId, id, editedAt }: Message) =>
  queryOptions({
    queryKey: [...conversationQueries.all, 'versions', id, editedAt],
    queryFn: ({ signal }) =>
      call(listMessageVersions, { params: { id: conversationId, messageId: id }, signal }),
  })

/** The texts before each edit, in a popover of their own. */
export function EarlierTexts({ message }: { message: Message; onClose: () => void }) {
  const { data, isError, refetch } = useQuery(versionsQuery(message))
  if (isError)
    return (
      <ErrorState description="Não foi possível carregar o texto anterior." onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton className="h-10 w-56" />
  return (
    <>
      <h2 className="text-xs font-semibold text-ink-2">Antes da edição</h2>
      <ol className="mt-1.5 grid gap-2">
        {data.map(({ content, replacedAt }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- earlier texts never move
          <li key={index} className="border-l-2 border-line pl-2">
            <div dir="auto" className="[overflow-wrap:anywhere]">
              <RichText text={content} />
            </div>
            <p className="text-xs text-ink-3">
              até <time dateTime={replacedAt}>{clockTime(replacedAt)}</time>
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}
