import { CircleHelp, Music } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message } from '#shared/conversations.ts'
import { cardWidth, KindHead, KindText } from './kind-head.tsx'
import { kindIcons, kindLabel } from './kind.ts'
import { documentFacts, duration } from './measures.ts'

/** A voice message, a file of sound, a document, or whatever has no more to show than what it is. */
export function FileLine({ message, meta }: { message: Message; meta: ReactNode }) {
  const { messageType, metadata } = message
  const isSoundFile = messageType === 'audio' && metadata.isVoice === false
  const { title, detail, text } = factsOf(message)
  return (
    <div className={cardWidth}>
      <KindHead
        icon={isSoundFile ? Music : (kindIcons[messageType] ?? CircleHelp)}
        title={title}
        detail={detail}
      >
        {!text && <span className="self-end">{meta}</span>}
      </KindHead>
      {text && <KindText text={text} meta={meta} />}
    </div>
  )
}

function factsOf(message: Message): { title: string; detail?: string | undefined; text: string } {
  const { messageType, content, metadata, fileName } = message
  const label = kindLabel(messageType, metadata)
  const text = content === label || content === fileName ? '' : content
  if (messageType === 'audio') {
    const length = duration(metadata.seconds)
    const isNamed = metadata.isVoice === false && fileName
    if (isNamed) return { title: fileName, detail: [label, length].filter(Boolean).join(' · '), text }
    return { title: label, detail: length, text }
  }
  if (messageType === 'document') return { title: fileName ?? label, detail: documentFacts(message), text }
  return { title: label, text }
}
