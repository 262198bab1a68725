import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, FileText, Image as ImageIcon, Mic, Play } from 'lucide-react'
import { useState } from 'react'
import type { MediaKind } from '#shared/conversations/contact-history.ts'
import type { Message } from '#shared/messages/messages.ts'
import { PanelSection } from '#web/contacts/contacts.tsx'
import { takeTheFloor, useLoading } from '#web/media/media.tsx'
import { shortDate } from '#web/platform/live/server-clock.ts'
import { FileName } from '#web/ui/file-name.tsx'
import { DialogOnDemand } from '#web/ui/overlays/dialog-on-demand.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { cut } from '#web/ui/cut.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { documentFacts, duration, fileSize } from '#web/conversations/kinds/measures.ts'
import { isLeftThere, mediaAddress } from '#web/conversations/kinds/media-address.ts'
import { PictureViewer, useOpenPicture } from '#web/conversations/kinds/picture-viewer.tsx'
import { conversationQueries, type MediaOf } from '#web/conversations/cache/queries.ts'
import { PanelMore, PanelTrouble } from './panel-parts.tsx'

const tabs = [
  { value: 'visual', label: 'Imagens e vídeos' },
  { value: 'file', label: 'Arquivos' },
] as const

/** The files of a conversation, or of all that the contact had, newest first. */
export function MediaSection({ title, of }: { title: string; of: MediaOf }) {
  const [kind, setKind] = useState<MediaKind>('visual')
  return (
    <PanelSection title={title}>
      <Tabs
        label="Tipo de mídia"
        tabs={tabs}
        value={kind}
        onChange={(value) => setKind(value === 'file' ? 'file' : 'visual')}
      >
        <div className="pt-2.5">
          <Gallery key={kind} of={of} kind={kind} />
        </div>
      </Tabs>
    </PanelSection>
  )
}

const nothing: Record<MediaKind, string> = {
  visual: 'Nenhuma imagem ou vídeo',
  file: 'Nenhum arquivo',
}

function Gallery({ of, kind }: { of: MediaOf; kind: MediaKind }) {
  const media = useInfiniteQuery({ ...conversationQueries.media(of, kind), staleTime: 30_000 })
  const messages = media.data?.pages.flat()
  return (
    <>
      {!messages && media.isError ? (
        <PanelTrouble
          error={media.error}
          words="Não foi possível carregar os arquivos."
          onRetry={() => void media.refetch()}
        />
      ) : !messages ? (
        <div aria-busy className="grid grid-cols-3 gap-1.5">
          <span className="sr-only">Carregando arquivos</span>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} className="aspect-square h-auto w-full" />
          ))}
        </div>
      ) : messages.length === 0 ? (
        <p className="text-sm text-ink-3">
          {nothing[kind]}
          {'conversationId' in of && ' nesta conversa'}
        </p>
      ) : kind === 'visual' ? (
        <PictureViewer messages={messages}>
          <ul className="grid grid-cols-3 gap-1.5">
            {messages.map((message) => (
              <li key={message.id} className="min-w-0">
                {message.messageType === 'video' ? <Film message={message} /> : <Picture message={message} />}
              </li>
            ))}
          </ul>
        </PictureViewer>
      ) : (
        <ul className="-mx-2 grid">
          {messages.map((message) => (
            <li key={message.id}>
              <FileRow message={message} />
            </li>
          ))}
        </ul>
      )}
      {media.hasNextPage && (
        <PanelMore isBusy={media.isFetchingNextPage} onMore={() => void media.fetchNextPage()} />
      )}
    </>
  )
}

const tile = [
  'relative grid aspect-square w-full place-items-center overflow-hidden',
  'rounded-control bg-sunken text-ink-2 focus-visible:-outline-offset-2',
].join(' ')
const filling = 'absolute inset-0 size-full object-cover'

function nameOf(message: Message) {
  const label = kindLabel(message.messageType, message.metadata)
  return `${label}${message.content ? `: ${cut(message.content)}` : ''}, ${shortDate(message.sentAt)}`
}

function Picture({ message }: { message: Message }) {
  const open = useOpenPicture()
  const url = isLeftThere(message) ? undefined : mediaAddress(message)
  if (url !== undefined && message.metadata.isDownloadOnly)
    return (
      <a
        href={`${url}?download=1`}
        download
        title={nameOf(message)}
        aria-label={`Baixar ${nameOf(message)}`}
        className={tile}
      >
        <Download aria-hidden size={20} />
      </a>
    )
  return (
    <button
      type="button"
      aria-label={`Abrir ${nameOf(message)}`}
      title={nameOf(message)}
      disabled={url === undefined}
      onClick={() => open?.(message.id)}
      className={`${tile} ${url === undefined ? '' : 'cursor-zoom-in'}`}
    >
      {url === undefined ? <ImageIcon aria-hidden size={20} /> : <Thumbnail url={url} />}
    </button>
  )
}

function Thumbnail({ url }: { url: string }) {
  const loading = useLoading(url)
  if (loading.state === 'failed') return <ImageIcon aria-label="Imagem não disponível" size={20} />
  return (
    <img
      src={loading.src}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={loading.onHere}
      onError={loading.onFailed}
      className={filling}
    />
  )
}

/** A tile does not fetch the video's first frame; the video plays when opened. */
function Film({ message }: { message: Message }) {
  const [isOpen, setOpen] = useState(false)
  const url = mediaAddress(message)
  const length = duration(message.metadata.seconds)
  return (
    <>
      <button
        type="button"
        aria-label={`Abrir ${nameOf(message)}${length ? `, ${length}` : ''}`}
        title={nameOf(message)}
        disabled={url === undefined}
        onClick={() => setOpen(true)}
        className={tile}
      >
        <Play aria-hidden size={20} />
        {length && <span className="absolute right-1 bottom-0.5 text-xs tabular-nums">{length}</span>}
      </button>
      {isOpen && url !== undefined && (
        <DialogOnDemand isOpen onClose={() => setOpen(false)} title={kindLabel('video', message.metadata)}>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a client's film has no captions */}
          <video
            src={url}
            aria-label={nameOf(message)}
            controls
            autoPlay
            playsInline
            onPlay={(event) => takeTheFloor(event.currentTarget)}
            className="max-h-[70dvh] w-full rounded-control bg-black"
          />
          {message.content && (
            <div className="text-sm" dir="auto">
              <RichText text={message.content} />
            </div>
          )}
        </DialogOnDemand>
      )}
    </>
  )
}

function FileRow({ message }: { message: Message }) {
  const { messageType, metadata, fileName, sentAt } = message
  const url = mediaAddress(message)
  const isSound = messageType === 'audio'
  const name = fileName ?? kindLabel(messageType, metadata)
  const facts = isSound
    ? [duration(metadata.seconds), fileSize(message.fileSize)].filter(Boolean).join(' · ')
    : documentFacts(message)
  const Icon = isSound ? Mic : FileText
  const line = (
    <>
      <Icon aria-hidden size={16} className="flex-none text-ink-2" />
      <span className="grid min-w-0 flex-1">
        <FileName name={name} className="text-sm" />
        <span className="truncate text-xs text-ink-3 tabular-nums">
          {[shortDate(sentAt), facts].filter(Boolean).join(' · ')}
        </span>
      </span>
    </>
  )
  const look = 'flex min-h-11 items-center gap-2 rounded-control px-2 py-1'
  if (url === undefined) return <span className={look}>{line}</span>
  return (
    <a
      href={`${url}?download=1`}
      download
      title={`Baixar ${cut(name)}`}
      aria-label={`Baixar ${cut(name)}`}
      className={`${look} hover:bg-hover focus-visible:-outline-offset-2`}
    >
      {line}
      <Download aria-hidden size={14} className="flex-none text-ink-3" />
    </a>
  )
}
