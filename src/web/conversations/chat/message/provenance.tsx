import { Eye, Forward, Megaphone, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { viewOnceLabel } from '#web/conversations/kinds/kinds.ts'
import { SafeLink } from '#web/ui/rich-text/rich-text.tsx'

/** Where a message came from (an ad, a forward) and whether it may be viewed only once. */
export function Provenance({ message }: { message: Message }) {
  const { ad, isForwarded, isViewOnce } = message.metadata
  return (
    <>
      {ad && (
        <Line icon={Megaphone}>
          <AdWords ad={ad} />
        </Line>
      )}
      {isForwarded && <Line icon={Forward}>Encaminhada</Line>}
      {isViewOnce && message.messageType !== 'unsupported' && <Line icon={Eye}>{viewOnceLabel}</Line>}
    </>
  )
}

function AdWords({ ad }: { ad: NonNullable<Message['metadata']['ad']> }) {
  const title = ad.title || ad.body
  if (!title && !ad.url) return 'Veio de um anúncio'
  return (
    <>
      Veio de um anúncio:{' '}
      <SafeLink href={ad.url}>
        <bdi>{title || ad.url}</bdi>
      </SafeLink>
    </>
  )
}

export function Line({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div className="mb-0.5 flex items-start gap-1.5 text-xs text-ink-2">
      <Icon aria-hidden size={14} className="mt-px flex-none" />
      <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </div>
  )
}
