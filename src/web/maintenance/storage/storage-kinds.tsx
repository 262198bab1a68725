import { AudioLines, FileText, Image, type LucideIcon, MessageSquareText, Video } from 'lucide-react'
import { type MaintenanceStats, type StorageKind, storageKinds } from '#shared/maintenance/maintenance.ts'
import { counted, figure, sizeText } from '#web/maintenance/words.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

const kinds: Readonly<Record<StorageKind, { name: string; icon: LucideIcon; one: string; many: string }>> = {
  text: { name: 'Textos', icon: MessageSquareText, one: 'mensagem', many: 'mensagens' },
  image: { name: 'Imagens', icon: Image, one: 'arquivo', many: 'arquivos' },
  audio: { name: 'Áudios', icon: AudioLines, one: 'arquivo', many: 'arquivos' },
  video: { name: 'Vídeos', icon: Video, one: 'arquivo', many: 'arquivos' },
  document: { name: 'Documentos', icon: FileText, one: 'arquivo', many: 'arquivos' },
}

const gridLook = 'grid gap-px bg-line md:grid-cols-5'
const cellLook = [
  'grid grid-cols-[minmax(0,1fr)_auto] content-start gap-x-2 bg-surface px-4 py-2.5 max-md:items-center',
  'md:grid-cols-1 md:py-3 md:max-lg:px-3',
].join(' ')

/** What takes up the space, how fast that grows, and how long it will do. */
export function StorageKinds({ stats }: { stats: MaintenanceStats | undefined }) {
  const sizes = new Map(stats?.kinds.map((one) => [one.kind, one]))
  const all = stats?.kinds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) ?? 0
  return (
    <Card title="O que ocupa espaço" className="overflow-hidden">
      <ul aria-label="Tamanho por tipo" aria-busy={stats === undefined || undefined} className={gridLook}>
        {storageKinds.map((kind) => {
          const { name, icon: Icon, one, many } = kinds[kind]
          const { count = 0, sizeBytes = 0 } = sizes.get(kind) ?? {}
          const share = all === 0 ? 0 : (100 * sizeBytes) / all
          return (
            <li key={kind} className={cellLook}>
              <p className="flex min-w-0 items-center gap-1.5 text-sm text-ink-2">
                <Icon size={14} aria-hidden />
                {name}
              </p>
              {stats ? (
                <>
                  <p className="font-semibold tabular-nums max-md:text-right">{sizeText(sizeBytes)}</p>
                  <p className="text-xs text-ink-3 tabular-nums max-md:order-last max-md:text-right">
                    {counted(count, one, many)}
                  </p>
                  <span aria-hidden className="h-1 rounded-full bg-line md:mt-2">
                    <span className="block h-full rounded-full bg-chart-1" style={{ width: `${share}%` }} />
                  </span>
                </>
              ) : (
                <>
                  <Skeleton className="my-[5px] w-20 max-md:ml-auto" />
                  <Skeleton className="my-[3px] w-16 max-md:order-last max-md:ml-auto" />
                  <Skeleton className="h-1 w-full md:mt-2" />
                </>
              )}
            </li>
          )
        })}
      </ul>
      <p
        className={cn(
          'min-h-9 border-t border-line px-4 py-2 text-sm text-ink-2 tabular-nums',
          !stats && 'max-md:min-h-[71px]',
        )}
      >
        {stats && growthText(stats)}
      </p>
    </Card>
  )
}

/** How the space changes, how much is left, and for how long that will do. */
function growthText({ weekGrowth, freeBytes, daysLeft }: MaintenanceStats): string {
  const growth =
    weekGrowth > 0 ? `Cresceu ${sizeText(weekGrowth)} nos últimos 7 dias.` : 'Não cresceu nos últimos 7 dias.'
  const free =
    freeBytes === null
      ? 'Os arquivos ficam em um bucket.'
      : `${sizeText(freeBytes)} livres no disco do servidor.`
  return [growth, free, daysLeft === null ? '' : daysText(daysLeft)].filter(Boolean).join(' ')
}

function daysText(days: number): string {
  if (days < 1) return 'Nesse ritmo, enche hoje.'
  if (days > 3650) return 'Nesse ritmo, dura mais de dez anos.'
  return `Nesse ritmo, ${days === 1 ? 'dura cerca de 1 dia' : `dura cerca de ${figure(days)} dias`}.`
}
