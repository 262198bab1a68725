import { FileText } from 'lucide-react'
import type { ChatMessage } from '#simulator/control-views.ts'
import { apiPrefix } from '#simulator/page/data/api.ts'

const kilobyte = 1024
function formatSize(bytes: number): string {
  const isBig = bytes >= kilobyte * kilobyte
  const number = bytes / (isBig ? kilobyte * kilobyte : kilobyte)
  const digits = number.toLocaleString('pt-BR', { maximumFractionDigits: number < 10 ? 1 : 0 })
  return `${digits} ${isBig ? 'MB' : 'KB'}`
}

/** A file with name and size, to download. */
export function Document({ media }: { media: NonNullable<ChatMessage['media']> }) {
  const name = media.fileName ?? 'Documento'
  return (
    <a
      href={`${apiPrefix}${media.path}`}
      download={name}
      className="flex w-[186px] max-w-full items-center gap-2.5 rounded-[6px] pt-0.5"
    >
      <span className="grid h-10 w-9 shrink-0 place-items-center rounded-[6px] bg-ink/7 text-ink-2">
        <FileText size={20} aria-hidden />
      </span>
      <span className="min-w-0">
        <span title={name} className="block truncate font-medium">
          {name}
        </span>
        <span className="block text-xs text-ink-2 tabular-nums">{formatSize(media.sizeBytes)}</span>
      </span>
    </a>
  )
}
