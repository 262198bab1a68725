import { History, Hourglass, type LucideIcon } from 'lucide-react'
import { useGatewayNews } from '#web/gateway/gateway.tsx'
import { clockTime } from '#web/platform/live/server-clock.ts'
import { useLiveStatus } from '#web/platform/live/live.ts'
import { cn } from '#web/ui/cn.ts'

/** In the top bar: how many messages wait for the gateway, and how many have come late. */
export function GatewayNews() {
  const news = useGatewayNews()
  const link = useLiveStatus()
  if (!news || link === 'reconnecting' || link === 'failed') return null
  const { waiting, recovered } = news
  return (
    <span className="flex min-w-0 gap-2">
      {waiting > 0 && (
        <NewsItem
          icon={Hourglass}
          look="border-amber-line bg-amber-soft text-amber-text"
          title="Saem na ordem em que foram escritas, as das pessoas antes dos textos automáticos"
          count={waiting}
          what="aguardando "
          hidesWhat
          more="o gateway"
          noun={waiting === 1 ? 'mensagem' : 'mensagens'}
        />
      )}
      {recovered && (
        <NewsItem
          icon={History}
          look="border-blue-line bg-blue-soft text-blue-text"
          title="Vieram tarde: estão na ordem em que foram escritas, sem som e sem textos automáticos"
          count={recovered.count}
          what={recovered.count === 1 ? 'recuperada ' : 'recuperadas '}
          more={`às ${clockTime(recovered.until)}`}
          noun={recovered.count === 1 ? 'mensagem' : 'mensagens'}
          isBehind={waiting > 0}
        />
      )}
    </span>
  )
}

/**
 * On a narrow screen the noun and what follows are only read out. No live region, since it changes every few
 * seconds.
 */
function NewsItem({
  icon: Icon,
  look,
  title,
  count,
  noun,
  what,
  more,
  isBehind = false,
  hidesWhat = false,
}: {
  icon: LucideIcon
  look: string
  title: string
  count: number
  noun: string
  what: string
  more: string
  /** On a narrow screen it gives its place to another one. */
  isBehind?: boolean
  /** Its word is too long for a telephone, which says what is the matter beside it. */
  hidesWhat?: boolean
}) {
  return (
    <span
      data-news
      title={title}
      className={cn(
        'inline-flex h-7 min-w-0 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium',
        look,
        isBehind && 'max-lg:sr-only',
      )}
    >
      <Icon aria-hidden size={12} className="flex-none" />
      <span className="truncate">
        {count.toLocaleString('pt-BR')} <span className="max-lg:sr-only">{noun} </span>
        <span className={hidesWhat ? 'max-md:sr-only' : undefined}>{what}</span>
        <span className="max-lg:sr-only">{more}</span>
      </span>
    </span>
  )
}
