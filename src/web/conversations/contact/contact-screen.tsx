import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Ban, LockOpen, Merge, MessageCircle, Trash2, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import type { Contact } from '#shared/contacts/contacts.ts'
import {
  ContactFacts,
  contactQueries,
  MergeDialog,
  useDeleteContact,
  useStartChat,
  useToggleBlock,
} from '#web/contacts/contacts.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { EarlierConversations } from '#web/conversations/chat/panel/earlier-conversations.tsx'
import { MediaSection } from '#web/conversations/chat/panel/media-section.tsx'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { ErasedNote, PersonalDataMenu } from '#web/privacy/privacy.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useCan } from '#web/users/users.tsx'
import { ContactRatings } from './contact-ratings.tsx'

/** `/contacts/{id}`: a contact's data, conversations, files and ratings. */
export function ContactScreen() {
  const { id = '' } = useParams()
  const isAllowed = useCan('viewContacts')
  if (!isAllowed) return <DeniedState isPage />
  return /^[1-9]\d{0,8}$/.test(id) ? <ContactPage id={Number(id)} /> : <NotFound />
}

function ContactPage({ id }: { id: number }) {
  const { data: contact, error, isFetching, refetch } = useQuery(contactQueries.one(id))
  const loaded = useLoaded(id)
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <Page
      title={
        <span className="flex min-w-0 items-center gap-2">
          <Link
            href="/contacts"
            aria-label="Voltar para Contatos"
            className="target -ml-1 grid size-8 flex-none place-items-center rounded-control hover:bg-hover"
          >
            <ArrowLeft size={18} aria-hidden />
          </Link>
          <span className="min-w-0 truncate" dir="auto">
            {contact?.name ?? 'Contato'}
          </span>
        </span>
      }
      actions={contact && <Actions contact={contact} />}
    >
      {contact ? (
        <div className="grid items-start gap-4 lg:grid-cols-[340px_minmax(0,1fr)]">
          <Card>{contact.isErased ? <ErasedNote /> : <ContactFacts key={contact.id} card={contact} />}</Card>
          <div className="grid min-w-0 gap-4">
            <Card>
              <EarlierConversations contactId={id} isWhole />
            </Card>
            {loaded.conversations && (
              <Card>
                <MediaSection title="Arquivos trocados" of={{ contactId: id }} />
              </Card>
            )}
            {loaded.conversations && loaded.files && (
              <Card>
                <ContactRatings contactId={id} />
              </Card>
            )}
          </div>
        </div>
      ) : error ? (
        <Card>
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <PageSkeleton />
      )}
    </Page>
  )
}

/**
 * What has come, or failed. How high a list becomes is not known before: what stands below it comes after it,
 * instead of being moved by it.
 */
function useLoaded(contactId: number): { conversations: boolean; files: boolean } {
  const conversations = useInfiniteQuery({
    ...conversationQueries.history(contactId),
    staleTime: 30_000,
  }).isPending
  const files = useInfiniteQuery({
    ...conversationQueries.media({ contactId }, 'visual'),
    staleTime: 30_000,
  }).isPending
  return { conversations: !conversations, files: !files }
}

function Actions({ contact }: { contact: Contact }) {
  const [, navigate] = useLocation()
  const start = useStartChat()
  const toggle = useToggleBlock()
  const remove = useDeleteContact()
  const begin = () => start.mutate({ contactId: contact.id })
  // A button with its words would leave no room for the name.
  const isWide = useMediaQuery('(min-width: 48rem)')
  const mayMerge = useCan('mergeContacts')
  const [isMerging, setMerging] = useState(false)
  if (contact.isErased) return null
  return (
    <>
      {mayMerge && (
        <IconButton label="Juntar com outro contato" icon={Merge} onClick={() => setMerging(true)} />
      )}
      {isMerging && <MergeDialog contact={contact} onClose={() => setMerging(false)} />}
      <IconButton
        label={contact.isBlocked ? 'Desbloquear' : 'Bloquear'}
        icon={contact.isBlocked ? LockOpen : Ban}
        isBusy={toggle.isPending}
        onClick={() => toggle.mutate(contact)}
      />
      <IconButton
        label="Excluir"
        icon={Trash2}
        tone="danger"
        isBusy={remove.isPending}
        onClick={() => remove.mutate(contact, { onSuccess: () => navigate('/contacts') })}
      />
      {isWide ? (
        <Button
          variant="primary"
          icon={MessageCircle}
          isBusy={start.isPending}
          busyLabel="Abrindo..."
          onClick={begin}
        >
          Iniciar conversa
        </Button>
      ) : (
        <IconButton
          label="Iniciar conversa"
          icon={MessageCircle}
          tone="accent"
          isBusy={start.isPending}
          onClick={begin}
        />
      )}
      <PersonalDataMenu contact={contact} />
    </>
  )
}

function NotFound() {
  return (
    <EmptyState
      isPage
      icon={UserRoundX}
      title="Contato não encontrado"
      description="Ele não existe ou foi excluído."
      action={
        <Button asChild>
          <Link href="/contacts">Voltar para Contatos</Link>
        </Button>
      }
    />
  )
}

function PageSkeleton() {
  return (
    <div
      role="status"
      aria-busy
      aria-label="Carregando contato"
      className="grid items-start gap-4 lg:grid-cols-[340px_minmax(0,1fr)]"
    >
      <Skeleton className="h-[480px] w-full rounded-card" />
      <Skeleton className="h-[320px] w-full rounded-card" />
    </div>
  )
}
