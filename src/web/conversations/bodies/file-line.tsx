import { useQueryClient } from '@tanstack/react-query'
import { CircleHelp, Download, FileX } from 'lucide-react'
import { createElement, type ReactNode } from 'react'
import { refusedExtensionOf } from '#shared/messages/media.ts'
import type { Message } from '#shared/messages/messages.ts'
import { AudioPlayer } from '#web/media/media.tsx'
import { conversationQueries, openRow } from '#web/conversations/cache/queries.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { cut } from '#web/ui/cut.ts'
import { FileName } from '#web/ui/file-name.tsx'
import { cardWidth, BodyHead, BodyText } from './body-head.tsx'
import { kindLabel, lookOf } from '#web/conversations/kinds/kinds.ts'
import { documentFacts, duration, fileSize } from '#web/conversations/kinds/measures.ts'
import { isLeftThere, mediaAddress } from '#web/conversations/kinds/media-address.ts'

/** A voice message, an audio file, a document, or any message that has nothing but its name to show. */
export function FileLine({ message, meta }: { message: Message; meta: ReactNode }) {
  const { messageType } = message
  const url = mediaAddress(message)
  if (messageType === 'audio' && url !== undefined && !isLeftThere(message))
    return <Sound message={message} url={url} meta={meta} />
  const { title, detail, text } = factsOf(message)
  const refused = url === undefined ? refusedExtensionOf(message) : undefined
  const isFile = messageType === 'document' || messageType === 'audio'
  return (
    <div className={cardWidth}>
      <BodyHead
        icon={refused ? FileX : (lookOf(messageType).icon ?? CircleHelp)}
        title={title}
        detail={refused ? `Não guardado: extensão .${refused} não é permitida` : detail}
      >
        {isFile && url !== undefined && <Keep url={url} title={title} />}
        {!text && !isFile && <span className="self-end">{meta}</span>}
      </BodyHead>
      {text ? (
        <BodyText text={text} meta={meta} />
      ) : (
        // With its date, as in the archive, it would leave the name no room beside it.
        isFile && <div className="flow-root">{meta}</div>
      )}
    </div>
  )
}

function Sound({ message, url, meta }: { message: Message; url: string; meta: ReactNode }) {
  const { metadata, fileName } = message
  const { text } = factsOf(message)
  const isVoice = metadata.isVoice !== false
  const label = kindLabel('audio', metadata)
  const title = fileName ?? label
  const hasWords = message.transcription !== undefined
  return (
    <div className={cardWidth}>
      {!isVoice && (
        <p className="mb-1 flex items-center gap-2 text-sm">
          <FileName name={title} className="flex-1 font-medium" />
          <Keep url={url} title={title} />
        </p>
      )}
      <AudioPlayer url={url} seconds={metadata.seconds} label={label} place={usePlace(message)} />
      {text && <BodyText text={text} meta={hasWords ? null : meta} />}
      {hasWords ? (
        <InWords message={message} meta={meta} />
      ) : (
        !text && <div className="flow-root">{meta}</div>
      )}
    </div>
  )
}

const useTranscription = partInPlace(async () => (await import('./transcription.tsx')).Transcription)

/** What it says, or how that is asked for: loaded where sounds are put into words. */
function InWords(props: { message: Message; meta: ReactNode }) {
  const part = useTranscription()
  if (part) return createElement(part, props)
  // The place of its first line.
  return <div className="mt-1 flow-root min-h-6 max-md:min-h-11">{props.meta}</div>
}

/** Where a recording belongs, for as long as it goes on without its bubble. */
function usePlace({ id, clientMessageId, conversationId, senderType, senderName }: Message) {
  const client = useQueryClient()
  // A send that the server does not have yet is in no conversation.
  if (conversationId === 0) return undefined
  const { queryKey } = conversationQueries.one(conversationId)
  const contact = (client.getQueryData(queryKey) ?? openRow(client, conversationId))?.contact.name
  if (contact === undefined) return undefined
  return {
    key: clientMessageId ?? String(id),
    title: senderType === 'contact' ? contact : `${senderName ?? 'Equipe'} · ${contact}`,
    path: `/chat?conversation=${conversationId}`,
  }
}

/** A download link; absent while the file is being uploaded. */
function Keep({ url, title }: { url: string; title: string }) {
  const isOnItsWay = url.startsWith('blob:')
  if (isOnItsWay) return null
  return (
    <a
      href={`${url}?download=1`}
      download
      aria-label={`Baixar ${cut(title)}`}
      title="Baixar"
      className={[
        'grid size-8 flex-none place-items-center rounded-control max-md:size-11',
        'text-ink-2 hover:bg-ink/8 hover:text-ink',
      ].join(' ')}
    >
      <Download aria-hidden size={16} />
    </a>
  )
}

function factsOf(message: Message): { title: string; detail?: string | undefined; text: string } {
  const { messageType, content, metadata, fileName } = message
  const label = kindLabel(messageType, metadata)
  const text = content === label || content === fileName ? '' : content
  if (messageType === 'audio') {
    const facts = [duration(metadata.seconds), fileSize(message.fileSize)].filter(Boolean).join(' · ')
    return { title: cut(fileName ?? label, 500), detail: facts || undefined, text }
  }
  if (messageType === 'document')
    return { title: cut(fileName ?? label, 500), detail: documentFacts(message), text }
  return { title: cut(fileName ?? label, 500), text }
}
