import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, CircleAlert, Download, FileCode, FileText, MessageCircle, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'wouter'
import {
  type ArchivedDetail,
  type ConversationFormat,
  exportArchived,
} from '#shared/conversations/archive.ts'
import { unknownContact } from '#shared/text/text.ts'
import { useStartChat } from '#web/contacts/contacts.tsx'
import { ConversationBadges } from '#web/conversations/rows/conversation-badges.tsx'
import { download } from '#web/platform/browser/download.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Menu, MenuCheck, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useCan } from '#web/users/users.tsx'
import { ArchivedFacts } from './archived-facts.tsx'
import { ArchivedMessages } from './archived-messages.tsx'
import { ArchivedSide } from './archived-side.tsx'
import { archiveQueries } from './queries.ts'

const DeleteConversationDialog = onDemand(
  async () =>
    (await import('#web/conversations/chat/dialogs/delete-conversation-dialog.tsx')).DeleteConversationDialog,
)

const listPath = '/conversas-arquivadas'

/** `/conversas-arquivadas/{id}`: a completed conversation. @see specification §2 Archived detail */
export function ArchivedScreen() {
  const { id = '' } = useParams()
  const isAllowed = useCan('viewConversations')
  if (!isAllowed) return <DeniedState isPage />
  return /^[1-9]\d{0,8}$/.test(id) ? <Archived key={id} id={Number(id)} /> : <NotFound />
}

function Archived({ id }: { id: number }) {
  const { data, error, isFetching, refetch } = useQuery(archiveQueries.one(id))
  if (data === null) return <NotFound />
  if (!data && error)
    return (
      <Page title={<Heading name="Conversa" />}>
        <Card>
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        </Card>
      </Page>
    )
  if (!data) return <Loading />
  const name = data.contact.name || unknownContact
  return (
    <Page
      title={
        <Heading name={name} avatarUrl={data.contact.avatarUrl}>
          <ConversationBadges conversation={data} parts={['category']} />
          <Badge tone="red">Finalizada</Badge>
        </Heading>
      }
      subtitle={
        <span className="md:pl-[92px]">
          Protocolo {data.protocol} · iniciada em {dateTime(data.startedAt)}{' '}
          {data.initiatedBy === 'contact' ? 'pelo contato' : 'pelo operador'}
        </span>
      }
      actions={<Actions conversation={data} />}
    >
      <ArchivedFacts conversation={data} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <ArchivedMessages conversation={data} />
        <ArchivedSide conversation={data} />
      </div>
    </Page>
  )
}

function Heading({
  name,
  avatarUrl = null,
  children,
}: {
  name: string
  avatarUrl?: string | null
  children?: ReactNode
}) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Link
        href={listPath}
        aria-label="Voltar ao arquivamento"
        className="target -ml-1 grid size-8 flex-none place-items-center rounded-control hover:bg-hover"
      >
        <ArrowLeft size={18} aria-hidden />
      </Link>
      <Avatar name={name} src={avatarUrl} size={40} className="max-md:hidden" />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 [overflow-wrap:anywhere]" dir="auto">
          {name}
        </span>
        <span className="inline-flex min-w-0 items-center gap-1.5 text-base tracking-normal">{children}</span>
      </span>
    </span>
  )
}

function Actions({ conversation }: { conversation: ArchivedDetail }) {
  const mayDelete = useCan('deleteArchived')
  const [isDeleting, setDeleting] = useState(false)
  const [withNotes, setWithNotes] = useState(false)
  const start = useStartChat()
  const isWide = useMediaQuery('(min-width: 48rem)')
  return (
    <>
      <Menu
        trigger={
          isWide ? <Button icon={Download}>Exportar</Button> : <IconButton label="Exportar" icon={Download} />
        }
      >
        <MenuItem icon={FileCode} onSelect={() => save(conversation.id, 'html', withNotes)}>
          Página (HTML), com imagens
        </MenuItem>
        <MenuItem icon={FileText} onSelect={() => save(conversation.id, 'text', withNotes)}>
          Texto
        </MenuItem>
        <MenuLine />
        <MenuCheck isChecked={withNotes} onChange={setWithNotes}>
          Incluir notas internas
        </MenuCheck>
      </Menu>
      {mayDelete &&
        (isWide ? (
          <Button variant="danger" icon={Trash2} onClick={() => setDeleting(true)}>
            Excluir Conversa
          </Button>
        ) : (
          <IconButton
            label="Excluir Conversa"
            icon={Trash2}
            tone="danger"
            onClick={() => setDeleting(true)}
          />
        ))}
      <Button
        variant="primary"
        icon={MessageCircle}
        isBusy={start.isPending}
        busyLabel="Abrindo..."
        onClick={() => start.mutate({ contactId: conversation.contactId })}
      >
        Conversar de novo
      </Button>
      {isDeleting && (
        <DeleteConversationDialog
          conversation={conversation}
          backTo={listPath}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

const save = (id: number, format: ConversationFormat, withNotes: boolean) =>
  download(
    `${exportArchived.path.replace(':id', String(id))}?format=${format}${withNotes ? '&notes=with' : ''}`,
  )

function NotFound() {
  return (
    <EmptyState
      isPage
      icon={CircleAlert}
      title="Conversa não encontrada"
      description="A conversa que você está procurando não existe ou foi removida."
      action={
        <Button asChild>
          <Link href={listPath}>
            <ArrowLeft size={16} aria-hidden className="-ml-[3px] text-ink-2" />
            Voltar ao arquivamento
          </Link>
        </Button>
      }
    />
  )
}

function Loading() {
  return (
    <Page
      title={
        <span className="flex items-center gap-3">
          <IconButton label="Voltar ao arquivamento" icon={ArrowLeft} disabled className="-ml-1" />
          <Skeleton className="h-6 w-56" />
        </span>
      }
    >
      <div role="status" aria-busy aria-label="Carregando..." className="grid gap-4">
        <Card className="grid gap-4 p-4 md:grid-cols-4">
          {Array.from({ length: 4 }, (_, at) => (
            <Skeleton key={at} className="h-9 w-32" />
          ))}
        </Card>
        <Card className="grid gap-3 p-4">
          {Array.from({ length: 6 }, (_, at) => (
            <Skeleton key={at} className={`h-10 w-72 max-w-full ${at % 2 ? 'ml-auto' : ''}`} />
          ))}
        </Card>
      </div>
    </Page>
  )
}
